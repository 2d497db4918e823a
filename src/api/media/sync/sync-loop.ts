import { createSyncController, type SyncControllerParts } from './sync-controller.ts'
import type { ClockReading } from './shared-clock.ts'

/** Reads the shared clock. */
type ClockReader = () => ClockReading

/** Updates a sync controller in every animation frame while there is a clock. */
export interface SyncLoop {
  set(clock: ClockReader | null): void
  reading(): ClockReading | null
  /** Whether the paused picture shows the clock's moment and has data to play on; false without a clock. */
  isSettled(): boolean
  /** Called when the source changes. */
  forget(): void
}

export function createSyncLoop(parts: SyncControllerParts): SyncLoop {
  const syncController = createSyncController(parts)
  const state = { clock: null as ClockReader | null, frame: 0 }
  const update = () => {
    if (state.clock === null) return
    state.frame = requestAnimationFrame(update)
    syncController.update(state.clock(), performance.now())
  }
  return {
    set(clock) {
      state.clock = clock
      cancelAnimationFrame(state.frame)
      syncController.forget()
      update()
    },
    reading: () => state.clock?.() ?? null,
    isSettled: () => state.clock !== null && syncController.isSettled(state.clock()),
    forget: () => syncController.forget(),
  }
}
