import { createFollower, type FollowerParts } from './follow.ts'
import type { Beat } from './metronome.ts'

export type BeatReader = () => Beat

/** A follower that looks at its clock with every animation frame, while it has one. */
export interface FollowLoop {
  /** Null: nothing is followed any more. */
  set(clock: BeatReader | null): void
  /** Null while nothing is followed. */
  beat(): Beat | null
  isSettled(): boolean
  /** Another source is loaded. */
  forget(): void
}

export function createFollowLoop(parts: FollowerParts): FollowLoop {
  const follower = createFollower(parts)
  const now = { clock: null as BeatReader | null, frame: 0 }
  const look = () => {
    if (now.clock === null) return
    follower.look(now.clock(), performance.now())
    now.frame = requestAnimationFrame(look)
  }
  return {
    set(clock) {
      now.clock = clock
      cancelAnimationFrame(now.frame)
      follower.forget()
      look()
    },
    beat: () => now.clock?.() ?? null,
    isSettled: () => now.clock !== null && follower.isSettled(now.clock()),
    forget: () => follower.forget(),
  }
}
