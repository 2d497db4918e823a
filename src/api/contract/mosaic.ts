import * as z from 'zod/mini'
import { flag, items, key, list, numberOr, text } from './wire.ts'
import { Stream } from './stream.ts'

export const Cell = z.object({
  streamUid: text,
  x: numberOr(0),
  y: numberOr(0),
  w: numberOr(1),
  h: numberOr(1),
})

/**
 * `streams`: only in GET /v1/mosaic/{id}. `missing`: only in the list; the uids of cells whose stream was deleted or
 * isn't visible to the caller.
 */
export const Mosaic = z.object({
  id: z.string(),
  name: text,
  meta: z.prefault(z.object({ canAdmin: flag }), {}),
  columns: numberOr(1),
  rows: numberOr(1),
  cells: list(Cell),
  streams: z.optional(z.array(Stream)),
  missing: z.optional(z.array(z.string())),
})
export type Mosaic = z.output<typeof Mosaic>
export const Mosaics = items(Mosaic)

export const MosaicBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  columns: z.int().check(z.minimum(1), z.maximum(12)),
  rows: z.int().check(z.minimum(1), z.maximum(12)),
  cells: z._default(z.array(z.extend(Cell, { streamUid: z._default(key, '') })).check(z.maxLength(36)), []),
})
export type MosaicBody = z.input<typeof MosaicBody>
export const MosaicCreated = z.object({ id: z.string() })
