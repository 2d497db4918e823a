import type { Volume, Volumes } from '../../storage/volumes.ts'
import { minMoment } from '../index/recordings.ts'
import type { Stored } from '../index/old-rows.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import { mostOverShare, type StreamTotal } from './fair-share.ts'
import { unlockedOldest, type Locks } from './locks.ts'

export type SomeVolumes = readonly Pick<Volume, 'id'>[]
export type Owned = Pick<StreamTotal, 'uid' | 'recordings'>
type LockedSite = { index: Pick<SegmentIndex, 'oldestOn'>; locks: Pick<Locks, 'rangesOf'> }

/** The volumes of all nodes. Chunks of other nodes become garbage, which each node deletes from its own disks. */
export const everywhere = (volumes: Pick<Volumes, 'available' | 'elsewhere' | 'isMissing'>): SomeVolumes => [
  ...volumes.available(),
  ...volumes.elsewhere().flatMap((id) => (volumes.isMissing(id) ? [] : [{ id }])),
]

/**
 * The oldest unlocked chunks of a stream and its substream together, on some volumes. `fromOf`: the moment from which
 * those of a recording on a volume count.
 */
export const oldestOf = async (
  { index, locks }: LockedSite,
  on: SomeVolumes,
  { uid, recordings }: Owned,
  limit: number,
  fromOf = (_volume: number, _recording: number): number => minMoment,
): Promise<readonly Stored[]> => {
  const ranges = await locks.rangesOf(uid)
  const found = on.flatMap(({ id }) =>
    recordings.map((each) =>
      unlockedOldest(ranges, limit, (from) => index.oldestOn(id, each, limit, Math.max(from, fromOf(id, each)))),
    ),
  )
  return (await Promise.all(found))
    .flat()
    .toSorted((a, b) => a.start - b.start)
    .slice(0, limit)
}

/**
 * The stream that a sweep deletes from first, and the start of the chunk: the oldest unlocked one of whoever is most
 * over their share of those that aren't wholly locked.
 */
export const deletedFirst = async (
  site: LockedSite,
  on: SomeVolumes,
  totals: readonly StreamTotal[],
): Promise<{ uid: string; start: number } | undefined> => {
  const largest = mostOverShare(totals)
  if (largest === undefined) return undefined
  const [oldest] = await oldestOf(site, on, largest, 1)
  if (oldest !== undefined) return { uid: largest.uid, start: oldest.start }
  const others = totals.filter((total) => total !== largest)
  return deletedFirst(site, on, others)
}
