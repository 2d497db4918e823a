import * as z from 'zod/mini'
import { Masks } from './masks.ts'
import { atMost, flag, instant, items, key, list, numberOr, optionalInstant, text } from './wire.ts'

const ExportItem = z.object({ streamId: text, streamName: text, startTime: instant, endTime: instant })
export type ExportItem = z.output<typeof ExportItem>

/**
 * Feature `exports` (docs/wire.md §6). `status` is `queued`, `running`, `ready` or `failed`; `progress` is from 0 to 1.
 * `bytes` and `sha256`: of the ZIP, once it is ready. `overlay`: time and camera name are drawn into the video.
 * `login`: who asked for it.
 */
export const Export = z.object({
  id: z.string(),
  status: text,
  progress: numberOr(0),
  bytes: numberOr(0),
  items: list(ExportItem),
  sha256: text,
  note: text,
  overlay: flag,
  login: text,
  failureReason: text,
  createTime: optionalInstant,
  expireTime: optionalInstant,
})
export type Export = z.output<typeof Export>
/** `publicKey`: checks the signatures of this server's exports; Base64 of an Ed25519 key of 32 bytes. */
export const Exports = z.extend(items(Export), { publicKey: text })
export type Exports = z.output<typeof Exports>

export const maxExportItems = 32
const ExportItemBody = z.object({ streamId: key, startTime: instant, endTime: instant })
/** `timezone`: that of the time drawn with `overlay`, an IANA name. */
export const ExportBody = z.object({
  items: z.array(ExportItemBody).check(z.minLength(1), z.maxLength(maxExportItems)),
  note: z._default(atMost(500).check(z.trim()), ''),
  overlay: flag,
  timezone: z._default(atMost(100), 'UTC'),
})
export type ExportBody = z.output<typeof ExportBody>
export const ExportCreated = z.object({ id: z.string() })

export const manifestName = 'manifest.json'
export const signatureName = 'manifest.sig'

const Gap = z.object({ startTime: instant, endTime: instant })

/**
 * `manifest.json` of an exported ZIP (docs/wire.md §6.1). An item is a requested range; a file is an MP4 in the ZIP,
 * and `item` is the index of its range, from 0. `startTime` and `endTime` of an item are the requested ones, of a file
 * those of its first and last video frame. `login`: who asked for the export. `masks`: the privacy masks that were
 * burned in. `timezone`: that of the time drawn with `overlay`, UTC where an older server left it out.
 */
export const ExportManifest = z.object({
  format: z.literal('sightline-export'),
  version: z.literal(1),
  id: z.string(),
  serverVersion: text,
  login: text,
  createTime: instant,
  note: text,
  overlay: flag,
  timezone: z.optional(z.string()),
  publicKey: z.string(),
  items: z.array(z.extend(ExportItem, { gaps: list(Gap), masks: z.optional(Masks) })),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      item: z.number(),
      startTime: instant,
      endTime: instant,
      frames: numberOr(0),
      codec: text,
      width: numberOr(0),
      height: numberOr(0),
      hasSound: flag,
    }),
  ),
})
export type ExportManifest = z.output<typeof ExportManifest>
