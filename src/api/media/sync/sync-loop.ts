import { createSyncController, type SyncControllerParts } from './sync-controller.ts'
import type { ClockReading } from './shared-clock.ts'

export type ClockReader = () => ClockReading

/** Runs a sync controller in every animation frame while it has a clock. */
export interface SyncLoop {
  set(clock: ClockReader | null): void
  reading(): ClockReading | null
  isSettled(): boolean
  forget(): void
}

export function createSyncLoop(parts: SyncControllerParts): SyncLoop {
  const syncController = createSyncController(parts)
  const now = { clock: null as ClockReader | null, frame: 0 }
  const update = () => {
    if (now.clock === null) return
    syncController.update(now.clock(), performance.now())
    now.frame = requestAnimationFrame(update)
  }
  return {
    set(clock) {
      now.clock = clock
      cancelAnimationFrame(now.frame)
      syncController.forget()
      update()
    },
    reading: () => now.clock?.() ?? null,
    isSettled: () => now.clock !== null && syncController.isSettled(now.clock()),
    forget: () => syncController.forget(),
  }
}
