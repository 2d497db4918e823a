import { longestSeconds, type MediaPlaylist } from '../playlist/playlist.ts'
import { comeAtOnce } from './live-edge.ts'

/** Shares of the interval between changes: how much sooner each reload comes than the one before. */
const sooner = { atFirst: 0.25, aligned: 0.03 }
/** How long a reload waits after one, two or three without a change; then as long as the interval. */
const afterNoChange = [0.15, 0.25, 0.5]
/** After more, the time of the change isn't known well. */
const mostUnchanged = 2
/** A request that fails is repeated no sooner. */
const afterFailure = 0.5

const leastSeconds = 0.5

/**
 * The seconds until a live playlist grows: by a part, by a segment that is no longer than the last ones, or by several
 * at once.
 */
export const changeSeconds = ({ hasParts, partSeconds, segments, growthSeconds }: MediaPlaylist): number => {
  if (hasParts && partSeconds > 0) return partSeconds
  if (comeAtOnce(longestSeconds({ segments }), growthSeconds)) return growthSeconds
  return Math.max(leastSeconds, Math.min(...segments.slice(-3).map(({ durationSeconds }) => durationSeconds)))
}

/**
 * When to reload the live playlists of a server that doesn't delay reloads until there is something new. A reload each
 * segment alone would be late by anything up to a segment, and by more each time, as the answer takes its time, too. So
 * each reload comes a little sooner than a segment after the one before; one that comes too soon is soon repeated, and
 * so all are late by about a sixth of a segment at most. Times in milliseconds.
 */
export interface ReloadPace {
  /** Resolves when the playlist at `url` is to be requested, at once if it is a new one. */
  turn: (url: string) => Promise<void>
  /** The time since the last request for `url`; 0 for an unknown one. */
  elapsed: (url: string) => number
  /** Notes the playlist that answers the request; a change is due each `interval`. */
  answered: (url: string, playlist: string, interval: number) => void
  /** Ends all waiting and forgets all playlists. */
  restart: () => void
}

interface Reloads {
  playlist: string
  interval: number
  unchanged: number
  /** One without a change came shortly before the last change. */
  isAligned: boolean
  sentAt: number
  dueAt: number
}

const newReloads = (): Reloads => ({
  playlist: '',
  interval: 0,
  unchanged: 0,
  isAligned: false,
  sentAt: 0,
  dueAt: 0,
})

export function createReloadPace(): ReloadPace {
  const known = new Map<string, Reloads>()
  const waiting = new Set<() => void>()

  const wait = (duration: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, duration)
      waiting.add(end)
    })

  return {
    async turn(url) {
      const reloads = known.get(url) ?? newReloads()
      known.set(url, reloads)
      const early = reloads.dueAt - performance.now()
      if (early > 0) await wait(early)
      reloads.sentAt = performance.now()
      reloads.dueAt = reloads.sentAt + reloads.interval * afterFailure
    },
    elapsed(url) {
      const reloads = known.get(url)
      return reloads === undefined ? 0 : performance.now() - reloads.sentAt
    },
    answered(url, playlist, interval) {
      const reloads = known.get(url)
      if (reloads === undefined) return
      const { unchanged, sentAt } = reloads
      if (playlist === reloads.playlist) {
        reloads.unchanged += 1
        reloads.dueAt = sentAt + interval * (afterNoChange[unchanged] ?? 1)
      } else {
        if (unchanged > 0) reloads.isAligned = unchanged <= mostUnchanged
        Object.assign(reloads, { playlist, unchanged: 0, interval })
        reloads.dueAt = sentAt + interval * (1 - (reloads.isAligned ? sooner.aligned : sooner.atFirst))
      }
    },
    restart() {
      known.clear()
      for (const end of waiting) end()
    },
  }
}
