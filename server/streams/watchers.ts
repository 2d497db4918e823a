const viewerMs = 12_000
const maxRemembered = 1000

export type Watchers = { seen: (viewer: string) => void; count: () => number }

export const createWatchers = (now: () => number): Watchers => {
  const seenAt = new Map<string, number>()
  // Absolute, so that a clock set back keeps no watcher.
  const isGone = (at: number): boolean => Math.abs(now() - at) > viewerMs
  return {
    seen: (viewer) => {
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
