/** A picture farther behind than this plays by itself, seconds. */
const maxShared = 10
/** A picture that hasn't reported for this long is ignored, ms. */
const forgottenMs = 3000

/** The extra delay of a picture whose own latency is `latency`; seconds. */
export type SharedHold = (latency: number) => number

/** Live pictures side by side, all at the delay of the slowest one. */
export interface LiveGroup {
  join(): SharedHold
}

export function createLiveGroup(now: () => number): LiveGroup {
  const members = new Map<object, { latency: number; updatedAt: number }>()
  return {
    join() {
      const member = {}
      return (latency) => {
        if (latency > maxShared) {
          members.delete(member)
          return 0
        }
        const updatedAt = now()
        members.set(member, { latency, updatedAt })
        for (const [other, { updatedAt: before }] of members)
          if (updatedAt - before > forgottenMs) members.delete(other)
        return Math.max(...[...members.values()].map((one) => one.latency)) - latency
      }
    },
  }
}
