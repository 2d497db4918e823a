import { indexedWithinMs } from '../archive/format/segment.ts'
import type { Site } from '../streams/site.ts'

/** Whether this node still records the segment that holds the end of a range: it is indexed when it ends. */
export const endsInGrowingSegment = async (
  site: Pick<Site, 'index' | 'store' | 'supervisor'>,
  { uid, finish }: { uid: string; finish: number },
  now: number,
): Promise<boolean> =>
  now < finish + indexedWithinMs &&
  site.store.find(uid)?.isArchived === true &&
  site.supervisor(uid)?.isLive() === true &&
  ((await site.index.newest(uid))?.finish ?? 0) < finish
