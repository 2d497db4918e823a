import type { Recordings } from '../../../src/api/contract/archive.ts'
import type { Site } from '../../streams/site.ts'
import { isSub, periodOfBoth, streamOf } from '../../streams/substream.ts'

type OrphanedRecording = Recordings['items'][number]

/**
 * Recordings of removed streams, each with that of its substream. Leaves out a substream that was removed from a stream
 * that still exists.
 */
export const orphanedRecordings = async ({ index, store }: Site): Promise<OrphanedRecording[]> => {
  const orphaned = Map.groupBy(await index.orphaned(), ({ uid }) => streamOf(uid))
  const found: OrphanedRecording[] = []
  for (const [uid, recordings] of orphaned) {
    const [first] = recordings.toSorted((a, b) => Number(isSub(a.uid)) - Number(isSub(b.uid)))
    if (first === undefined || store.find(uid) !== undefined) continue
    const bytes = recordings.reduce((sum, each) => sum + each.bytes, 0)
    found.push({ ...first, uid, bytes, period: await periodOfBoth(index, uid) })
  }
  return found
}
