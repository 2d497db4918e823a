import type { Recordings } from '../../src/api/contract/archive.ts'
import type { Site } from '../streams/site.ts'
import { isSub, recordingsOf, streamOf } from '../streams/substream.ts'

type Left = Recordings['items'][number]

/** What removed streams left, each with its substream; not what an existing stream has of a former substream. */
export const leftRecordings = ({ index, store }: Site): Left[] => {
  const left = Map.groupBy(index.left(), ({ uid }) => streamOf(uid))
  return [...left].flatMap(([uid, recordings]) => {
    const [first] = recordings.toSorted((a, b) => Number(isSub(a.uid)) - Number(isSub(b.uid)))
    if (first === undefined || store.find(uid) !== undefined) return []
    const periods = recordingsOf(index, uid).flatMap((each) => index.period(each) ?? [])
    const period = {
      startTime: Math.min(...periods.map(({ startTime }) => startTime)),
      endTime: Math.max(...periods.map(({ endTime }) => endTime)),
    }
    const bytes = recordings.reduce((sum, each) => sum + each.bytes, 0)
    return { ...first, uid, bytes, period: periods.length === 0 ? null : period }
  })
}
