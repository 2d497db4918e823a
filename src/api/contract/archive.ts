import * as z from 'zod/mini'
import { Box } from './box.ts'
import {
  atMost,
  day,
  extension,
  instant,
  items,
  key,
  list,
  numberOr,
  optionalInstant,
  orElse,
  queryInteger,
  text,
} from './wire.ts'

/** A recorded range. */
const Period = z.object({ startTime: instant, endTime: instant })
/** Undefined or null if nothing is recorded; a range without both ends counts as undefined. */
const periodOrNone = orElse(z.nullish(Period), undefined)

export const PeriodQuery = z.object({ start_time: instant, end_time: instant })
export const DaysQuery = z.extend(PeriodQuery, { timezone: z.optional(atMost(100)) })
/** The version of a stream to play (docs/wire.md §5.3); `main` by default. */
export const Rendition = z.enum(['main', 'sub', 'compatible'])
export type Rendition = z.output<typeof Rendition>
/** Without times the playlist is live; with both it is that range of the archive. */
export const PlaylistQuery = z.object({
  start_time: z.optional(instant),
  end_time: z.optional(instant),
  rendition: z.optional(Rendition),
})
/** `timezone_offset` is minutes east of UTC; it names the file by local time. */
export const DownloadQuery = z.extend(PeriodQuery, { timezone_offset: z.optional(queryInteger) })

/**
 * Each `date` starts a range that ends at the next `date`, the last one at `period.endTime`. A `status` of zero is a
 * gap, any other a recorded fragment (docs/wire.md §5.3). Without `period`, the period of the request applies.
 */
export const ArchiveRanges = z.object({
  period: extension(Period),
  ranges: list(z.object({ date: instant, status: numberOr(0) })),
})
/** The ranges with the period that they cover. */
export type PeriodRanges = z.output<typeof ArchiveRanges> & { period: z.output<typeof Period> }

export const ArchiveStats = z.object({ period: periodOrNone })
export type ArchiveStats = z.output<typeof ArchiveStats>

export const AvailableDays = z.object({ days: list(day) })

export const AnnotationsQuery = z.object({ streamId: key, from: instant, to: instant })
/**
 * A `type` of `event` is an event, any other type another annotation. A moment has no `timeEnd`. `score` is from 0 to
 * 1; `box`: where in the picture; `source` names the detector. The server's own annotations, such as outages, have no
 * `label`, `score`, `box` or `source`.
 */
export const Annotation = z.object({
  id: z.optional(z.string()),
  type: text,
  time: instant,
  timeEnd: optionalInstant,
  label: extension(z.string()),
  score: extension(z.number()),
  box: extension(Box),
  source: extension(z.string()),
})
export type Annotation = z.output<typeof Annotation>
export const Annotations = items(Annotation)

/**
 * GET /v1/admin/recordings (feature `recordings`): archives of deleted streams. `depthHours`: how long they are kept,
 * -1 without a limit. `period` is null without recordings. DELETE /v1/admin/recordings/{uid} deletes an archive.
 */
export const Recordings = items(
  z.object({ uid: z.string(), name: text, bytes: numberOr(0), depthHours: numberOr(-1), period: periodOrNone }),
)
export type Recordings = z.output<typeof Recordings>

/**
 * A folder or bucket with recordings. `state`: `there`; `unlisted`: no longer configured, nothing new is recorded to
 * it; `unwritable`; `away`: a bucket that doesn't answer; `missing`: its `bytes` can't be played. `totalBytes` is 0 if
 * unknown. `daysAhead`: the days of recordings of all streams that fit on it at the rate of the last day, if known.
 * `first`: the uid of the stream whose recordings on this volume are deleted first.
 */
export const RetentionVolume = z.object({
  path: z.string(),
  state: text,
  totalBytes: numberOr(0),
  freeBytes: numberOr(0),
  bytes: numberOr(0),
  daysAhead: z.nullish(z.number()),
  first: z.nullish(z.string()),
})
export type RetentionVolume = z.output<typeof RetentionVolume>

/**
 * GET /v1/admin/retention (feature `retention`): the archive of each stream with its substream. `bytesPerDay`: recorded
 * in the last day. `daysKept`: the days from the oldest recording to the newest. `daysAhead`: the days of archive at
 * that rate; null if nothing is recorded or nothing limits it. `limit`: what limits it (docs/wire.md §5.6). `first`:
 * the uid of the stream whose recordings are deleted first when space runs short.
 */
export const Retention = z.object({
  items: list(
    z.object({
      uid: z.string(),
      name: text,
      bytes: numberOr(0),
      bytesPerDay: numberOr(0),
      daysKept: numberOr(0),
      daysAhead: z.nullish(z.number()),
      limit: text,
    }),
  ),
  first: z.nullish(z.string()),
  freeBytes: numberOr(0),
  volumes: list(RetentionVolume),
})
export type Retention = z.output<typeof Retention>
