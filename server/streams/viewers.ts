import { monotonicNow } from '../monotonic.ts'

const viewerMs = 12_000
const maxRemembered = 1000

/** The viewers of a stream's live video: each requested something within the last `viewerMs`. */
export type Viewers = { note: (viewer: string) => void; count: () => number }

export const createViewers = (now = monotonicNow): Viewers => {
  const seenAt = new Map<string, number>()
  const isGone = (at: number): boolean => now() - at > viewerMs
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
