import * as z from 'zod/mini'
import { Annotation } from './archive.ts'
import { Box, fraction } from './box.ts'
import { atMost, extension, flag, instant, items, key, page, queryInteger, queryTexts } from './wire.ts'

const name = z._default(atMost(100), '')

/** Of an event's snapshot, decoded. */
export const maxSnapshotBytes = 512 * 1024
const base64 = z.base64().check(z.maxLength(Math.ceil(maxSnapshotBytes / 3) * 4))

/**
 * POST /v1/annotations, feature `events`. An empty `source` becomes the login of the caller. `snapshot` (feature
 * `event-snapshots`) is a JPEG, PNG or WebP in Base64.
 */
export const AnnotationBody = z.object({
  streamId: key,
  type: atMost(50).check(z.minLength(1)),
  time: instant,
  timeEnd: z.nullish(instant),
  label: name,
  score: z.nullish(fraction),
  box: z.nullish(Box),
  source: name,
  snapshot: z.nullish(base64),
})
export type AnnotationBody = z.output<typeof AnnotationBody>
export const maxAnnotations = 1000
export const AnnotationsBody = z.object({ items: z.array(AnnotationBody).check(z.maxLength(maxAnnotations)) })
export const AnnotationIds = items(z.object({ id: z.string() }))

/** Events that begin at `from` or later and before `to`. */
export const EventsQuery = z.object({
  page: z._default(queryInteger, 1),
  from: z.optional(instant),
  to: z.optional(instant),
  streamId: z.optional(queryTexts(100, 200)),
  label: z.optional(atMost(100)),
  type: z.optional(atMost(50)),
})
export const FoundEvent = z.extend(Annotation, { streamId: z.string(), hasSnapshot: extension(z.boolean()) })
export type FoundEvent = z.output<typeof FoundEvent>
/** Newest first. `hasMore`: more than `total` match, and the server didn't count them. */
export const EventPage = z.extend(page(FoundEvent), { hasMore: z.optional(flag) })
export type EventPage = z.output<typeof EventPage>
