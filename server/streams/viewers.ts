const viewerMs = 12_000
const maxRemembered = 1000

/** The viewers of a stream's live video: each requested something within the last `viewerMs`. */
export type Viewers = { note: (viewer: string) => void; count: () => number }

export const createViewers = (now: () => number): Viewers => {
  const seenAt = new Map<string, number>()
  // Absolute, as a difference may be negative after the clock was set back.
  const isGone = (at: number): boolean => Math.abs(now() - at) > viewerMs
  return {
    note: (viewer) => {
      seenAt.delete(viewer)
      seenAt.set(viewer, now())
      for (const [key, at] of seenAt) {
        if (seenAt.size <= maxRemembered && !isGone(at)) break
        seenAt.delete(key)
      }
    },
    count: () => [...seenAt.values()].filter((at) => !isGone(at)).length,
  }
}
