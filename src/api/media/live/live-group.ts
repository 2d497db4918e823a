/** Who is farther behind by himself plays alone, seconds. */
const maxShared = 10
/** A picture that hasn't been heard of for so long doesn't hold the others back, ms. */
const forgottenMs = 3000

/** How much farther behind than by itself a picture is to play, where its own live is `latency` behind now; seconds. */
export type SharedHold = (latency: number) => number

/** Pictures side by side, which play live at one delay: that of the one that is farthest behind by itself. */
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
