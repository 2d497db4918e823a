/** A picture with a higher latency than this doesn't delay the group, and plays by itself. */
const maxLatencySeconds = 10
/** A picture that hasn't reported for this long doesn't count any more. */
const forgottenMs = 3000

/** Reports a picture's own latency and returns the delay to add to it; both in seconds. */
export type GroupDelay = (latency: number) => number

/** Live pictures side by side, all with the latency of the slowest one. */
export interface LiveGroup {
  /** A picture that leaves stops reporting. */
  join(): GroupDelay
}

/** `now`: milliseconds of a clock that never steps back. */
export function createLiveGroup(now: () => number): LiveGroup {
  const members = new Map<object, { latency: number; updatedAt: number }>()
  return {
    join() {
      const member = {}
      return (latency) => {
        if (latency > maxLatencySeconds) {
          members.delete(member)
          return 0
        }
        const updatedAt = now()
        members.set(member, { latency, updatedAt })
        for (const [other, { updatedAt: before }] of members)
          if (updatedAt - before > forgottenMs) members.delete(other)
        return Math.max(...[...members.values()].map((each) => each.latency)) - latency
      }
    },
  }
}
