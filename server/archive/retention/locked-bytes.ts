import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { HealthWarning, ServerContext } from '../../context.ts'
import { hourMs, minuteMs } from '../../durations.ts'
import type { Site } from '../../streams/site.ts'
import { subOf } from '../../streams/substream.ts'

/** If locks take up more of a limit, the rest would last so short that deleting it is of no use. */
const maxLockedShare = 0.9
/** What then stays beyond the limit. */
const keptMs = 30 * minuteMs
const maxNamed = 5
/** Stands for the archive among the names of streams. */
const wholeArchive = ''

/** Ranges that are less than `gapMs` apart become one, so that no chunk counts twice. Ordered by their start. */
const joined = (ranges: readonly TimeRange[], gapMs: number): TimeRange[] => {
  const found: TimeRange[] = []
  for (const { from, to } of ranges) {
    const last = found.at(-1)
    if (last !== undefined && from <= last.to + gapMs)
      found.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) })
    else found.push({ from, to })
  }
  return found
}

type LockedSite = Pick<Site, 'index' | 'locks' | 'store'>

/** The bytes of a stream and its substream within locked ranges. */
const bytesWithin = async ({ index }: LockedSite, uid: string, ranges: readonly TimeRange[]): Promise<number> => {
  let bytes = 0
  for (const recording of await Promise.all([uid, subOf(uid)].map(index.recording))) {
    if (recording === undefined) continue
    for (const { from, to } of joined(ranges, recording.longest)) bytes += await index.bytesWithin(recording, from, to)
  }
  return bytes
}

/** Which limits are taken up by locked recordings. */
export const createLockedShares = (site: LockedSite, now: () => number) => {
  const filled = new Map<string, number>()
  /**
   * By stream. Locks may be long, and their recordings hardly change: measured each hour, and when the locks change.
   */
  const measured = new Map<string, { locks: string; at: number; bytes: number }>()

  /** The bytes of a stream and its substream that locks keep. */
  const lockedBytesOf = async (uid: string): Promise<number> => {
    const ranges = await site.locks.rangesOf(uid)
    const locks = JSON.stringify(ranges)
    const known = measured.get(uid)
    if (known?.locks === locks && Math.abs(now() - known.at) < hourMs) return known.bytes
    const bytes = await bytesWithin(site, uid, ranges)
    if (ranges.length === 0) measured.delete(uid)
    else measured.set(uid, { locks, at: now(), bytes })
    return bytes
  }

  const note = (name: string, bytes: number, limitBytes: number): number => {
    if (bytes <= limitBytes * maxLockedShare) {
      filled.delete(name)
      return Infinity
    }
    filled.set(name, bytes)
    return now() - keptMs
  }

  return {
    /** The moment from which recordings of a stream stay beyond its quota; Infinity while locks leave room in it. */
    keptFrom: async (uid: string, quotaBytes: number): Promise<number> =>
      note(uid, quotaBytes === Infinity ? 0 : await lockedBytesOf(uid), quotaBytes),
    /** The same for all recordings and the maximum size of the archive. */
    allKeptFrom: async (limitBytes: number): Promise<number> => {
      let bytes = 0
      if (limitBytes !== Infinity) for (const uid of await site.locks.uids()) bytes += await lockedBytesOf(uid)
      return note(wholeArchive, bytes, limitBytes)
    },
    /** Warns of the limits that locks fill. */
    warnings: (): HealthWarning[] => {
      const named = [...filled].flatMap(([uid, bytes]) => {
        const stream = site.store.find(uid)
        return stream === undefined ? [] : { path: stream.name, bytes }
      })
      const warnings: HealthWarning[] = [
        ...(filled.has(wholeArchive) ? [{ code: 'ARCHIVE_FULL_OF_LOCKED' }] : []),
        ...(named.length > 0 ? [{ code: 'QUOTA_FULL_OF_LOCKED', volumes: named.slice(0, maxNamed) }] : []),
      ]
      return warnings.map((warning) => ({ ...warning, isOfSite: true, isPrivate: true }))
    },
  }
}

/** Only the leader sweeps the archive, so only its health knows. */
export const warnOfLocked = (
  { cluster, healthSources }: Pick<ServerContext, 'cluster' | 'healthSources'>,
  { warnings }: Pick<ReturnType<typeof createLockedShares>, 'warnings'>,
): void => {
  healthSources.push(() => (cluster.isLeader() ? warnings() : []))
}
