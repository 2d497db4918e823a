import * as z from 'zod/mini'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import { dayMs, hourMs } from '../../durations.ts'
import type { Store } from '../../store/store.ts'
import { readTable } from '../format/chunk-table.ts'
import type { ListedSegment } from '../format/segment.ts'
import { isAvailable, overlapping } from './chunk-rows.ts'
import { inOrder, type createMergedSegments } from './merged-segments.ts'
import type { createOldRows } from './old-rows.ts'
import type { createRecordings, Recording } from './recordings.ts'
import type { createUnindexedChunks } from './unindexed-chunks.ts'

/**
 * The chunks that start in an hour of UTC (its number since 1970), as one text: reading 60 rows with their tables takes
 * far longer. Equal texts have equal segments.
 */
export type PackedHour = { recording: number; hour: number; packed: string }

export type HourOrPage = PackedHour | ListedSegment[]

const HourRow = z.object({ hour: z.number(), finish: z.number(), packed: z.string() })

const hourOf = `start / ${hourMs}`
const packedHours = `SELECT ${hourOf} AS hour, max(finish) AS finish,
    string_agg(start || ' ' || run || ' ' || hex(segments), ',' ORDER BY start) AS packed
  FROM chunks WHERE ${overlapping} AND ${isAvailable} GROUP BY ${hourOf} ORDER BY ${hourOf}`

/** The segments of an hour, oldest first. */
export const unpackHour = ({ packed }: Pick<PackedHour, 'packed'>): ListedSegment[] => {
  const found: ListedSegment[] = []
  for (const chunk of packed.split(',')) {
    const [first, run, table = ''] = chunk.split(' ')
    readTable(Buffer.from(table, 'hex'), Number(first), (start, finish, duration) =>
      found.push({ start, finish, duration, run: Number(run) }),
    )
  }
  return inOrder(found)
}

type Sources = {
  store: Store
  recordings: Pick<ReturnType<typeof createRecordings>, 'recording'>
  old: Pick<ReturnType<typeof createOldRows>, 'isAny'>
  unindexed: Pick<ReturnType<typeof createUnindexedChunks>, 'within'>
} & Pick<ReturnType<typeof createMergedSegments>, 'pagesWithin'>

export const createHours = ({ store, recordings, old, unindexed, pagesWithin }: Sources) => {
  /** Reads the hours of a range from `at` to the end of that day. */
  const readDay = ({ recording, longest }: Recording, { from, to }: TimeRange, at: number) => {
    const dayEnd = Math.min(to, (Math.floor(at / dayMs) + 1) * dayMs)
    const startAfter = at === from ? from - longest : at - 1
    return { dayEnd, rows: store.all(HourRow, packedHours, recording, startAfter, dayEnd, from) }
  }

  /** All segments of a range, oldest first: those of whole hours packed, others in pages. */
  return async function* (uid: string, from: number, to: number): AsyncGenerator<HourOrPage> {
    const recording = await recordings.recording(uid)
    if (recording === undefined) return
    // In this order, a segment that moves into a chunk meanwhile is found twice rather than missed.
    const others = unindexed.within(uid, from, to)
    const firstOther = others.reduce((first, { start }) => Math.min(first, start), Infinity)
    const packedUntil = old.isAny() ? from : Math.min(to, Math.floor(firstOther / hourMs) * hourMs)

    let [finish, startOfLast] = [-Infinity, (): number => -Infinity]
    const added = (page: ListedSegment[]): ListedSegment[] => {
      const lastStart = startOfLast()
      const rest = page.filter((segment) => segment.start > lastStart)
      const last = rest.at(-1)
      if (last !== undefined) [finish, startOfLast] = [Math.max(finish, last.finish), () => last.start]
      return rest
    }
    const isWithin = (segment: ListedSegment): boolean => segment.start < to && segment.finish > from

    const next = (at: number) => (at < packedUntil ? readDay(recording, { from, to: packedUntil }, at) : undefined)
    for (let reading = next(from); reading !== undefined;) {
      const hours = await reading.rows
      reading = next(reading.dayEnd)
      reading?.rows.catch(() => undefined)
      for (const { hour, packed, finish: hourFinish } of hours) {
        const isWhole = from <= hour * hourMs && (hour + 1) * hourMs <= to && hourFinish <= to
        if (isWhole && Number.parseInt(packed, 10) >= finish) {
          const packedHour = { recording: recording.recording, hour, packed }
          ;[finish, startOfLast] = [hourFinish, () => unpackHour(packedHour).at(-1)?.start ?? -Infinity]
          yield packedHour
        } else {
          const page = added(unpackHour({ packed }).filter(isWithin))
          if (page.length > 0) yield page
        }
      }
    }
    if (packedUntil >= to) return
    for await (const page of pagesWithin(uid, Math.max(from, packedUntil), to)) {
      const rest = added(page)
      if (rest.length > 0) yield rest
    }
  }
}
