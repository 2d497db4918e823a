import * as z from 'zod/mini'
import { Masks } from './masks.ts'
import {
  atMost,
  extension,
  flag,
  items,
  instant,
  key,
  list,
  numberOr,
  optionalInstant,
  page,
  queryFlag,
  queryInteger,
  queryTexts,
  text,
} from './wire.ts'
import { PtzAbilities } from './ptz.ts'

/** `canDownload` (docs/wire.md §6.9); absent: as `canViewArchive`. The server sends it only where it is false. */
const download = z.optional(z.boolean())

const Location = z.object({ name: text })

/** `bitrate` in bits per second, `sampleRate` in hertz. `codec` is a name, or an RFC 6381 string as in CODECS. */
const Track = z.object({
  type: text,
  codec: text,
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  fps: z.optional(z.number()),
  sampleRate: z.optional(z.number()),
  bitrate: z.optional(z.number()),
})
export type Track = z.output<typeof Track>

/**
 * A stream (docs/wire.md §5.2). `status` is `pending`, `running`, `paused` or `failed`; other servers may send others.
 * `failureReason` is a code (docs/behaviour.md §14) or plain text. `bitrate` is in bits per second. `tracks`: what is
 * recorded and played now, if known. `archive.quotaBytes`: the size limit of its archive, if any; `archive.daysAhead`:
 * the days of archive at the rate of the last day. `substreamSource` is masked like `streamSource`. For `renditions`
 * and `video` see docs/wire.md §4. `onvif.url` is masked like `streamSource`; `ptz`: what the caller may do with the
 * camera (docs/wire.md §6.5). `masks`: the privacy masks; absent without any. `sharedRange`: the range of the archive
 * that a share is limited to, for its visitors and for who may administer the stream.
 */
export const Stream = z.object({
  uid: z.string(),
  name: text,
  streamSource: text,
  tags: list(z.string()),
  status: text,
  failureReason: text,
  location: z.prefault(Location, {}),
  meta: z.prefault(
    z.object({
      marker: text,
      canAdmin: flag,
      canViewArchive: flag,
      isShared: flag,
      canDownload: extension(z.boolean()),
    }),
    {},
  ),
  archive: z.prefault(
    z.object({
      isEnable: flag,
      depthHours: numberOr(-1),
      quotaBytes: z.optional(z.number()),
      daysAhead: z.optional(z.number()),
    }),
    {},
  ),
  live: z.prefault(z.object({ onDemand: flag }), {}),
  /** Without one, no node can be away. */
  node: z.prefault(z.object({ id: text, available: flag, since: optionalInstant, reason: z.optional(text) }), {
    available: true,
  }),
  viewers: z.optional(z.number()),
  bitrate: z.optional(z.number()),
  tracks: extension(z.array(Track)),
  substreamSource: z.optional(text),
  renditions: extension(list(z.string())),
  video: extension(z.object({ codec: text, width: numberOr(0), height: numberOr(0), fps: numberOr(0) })),
  onvif: extension(z.object({ url: text, profile: text })),
  ptz: extension(PtzAbilities),
  masks: z.optional(Masks),
  sharedRange: z.optional(z.object({ startTime: instant, endTime: instant, live: flag })),
})
export type Stream = z.output<typeof Stream>
/** The answer to PUT: the stream, or nothing from other servers, which leaves `uid` and `name` empty. */
export const SavedStream = z.extend(Stream, { uid: text })

/**
 * GET /v1/streams. The list's status refresh sends `isOnlyAvailable` instead of `onlyAvailable`. The console limits
 * search values in the same way (src/machines/streams/preferences.ts).
 */
export const StreamsQuery = z.object({
  page: z._default(queryInteger, 1),
  groupType: z._default(z.enum(['none', 'tag']), 'none'),
  sortType: z._default(z.enum(['date', 'name', 'status']), 'date'),
  onlyAvailable: z.optional(queryFlag),
  isOnlyAvailable: z.optional(queryFlag),
  searchingValues: z._default(queryTexts(20, 200), []),
})

export const StreamsPage = page(Stream)
export type StreamsPage = z.output<typeof StreamsPage>

const maxSourceLength = 4000
const shortText = z._default(atMost(200), '')

/**
 * The body of POST /v1/stream and PUT /v1/stream/{uid}; only name and source are required. What `archive` leaves out
 * stays; a new stream without its `isEnable` isn't recorded. A `quotaBytes` of -1 removes the quota. Without
 * `substreamSource` the substream stays, '' removes it. Without `onvif` the ONVIF address stays, an empty `url` removes
 * it.
 */
export const StreamBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  streamSource: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxSourceLength)),
  substreamSource: z.optional(z.string().check(z.trim(), z.maxLength(maxSourceLength))),
  tags: z.optional(z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))).check(z.maxLength(50))),
  location: z.optional(z.object({ name: shortText })),
  archive: z.optional(
    z.object({
      isEnable: z.optional(z.boolean()),
      depthHours: z.optional(z.number()),
      quotaBytes: z.optional(z.int()),
    }),
  ),
  live: z.optional(z.object({ onDemand: flag })),
  meta: z.optional(z.object({ marker: shortText })),
  node: z.optional(z.object({ id: z._default(key, '') })),
  onvif: z.optional(z.object({ url: atMost(1000).check(z.trim()), profile: shortText })),
})
export type StreamBody = z.input<typeof StreamBody>

export const StreamCreated = z.object({ uid: z.string() })

/** `status` is '' if the server omits it; the next poll has it. */
export const StreamStatus = z.object({ status: text })

export const LeaseQuery = z.object({ extend_lease: z.optional(queryFlag) })
/** `purge` deletes the archive too, and is refused while a range of it is locked, unless `unlock` is set. */
export const PurgeQuery = z.object({ purge: z.optional(queryFlag), unlock: z.optional(queryFlag) })
export const UnlockQuery = z.object({ unlock: z.optional(queryFlag) })

export const ProbeQuery = z.object({ url: z.optional(atMost(maxSourceLength)), stream_id: z.optional(key) })
/**
 * With `time`, the archive's picture at that moment; 204 if there is none. `unmasked`: without the privacy masks, with
 * canAdmin.
 */
export const PreviewQuery = z.extend(ProbeQuery, { time: z.optional(instant), unmasked: z.optional(z.literal('true')) })

export const Probe = z.object({ format: text, tracks: list(Track) })
export type Probe = z.output<typeof Probe>

export const LogsQuery = z.object({ after: z.optional(key) })
export const LogLine = z.object({ id: z.string(), time: optionalInstant, level: text, message: text })
export type LogLine = z.output<typeof LogLine>
export const Logs = items(LogLine)

/** The console uses only the URL, which contains the token. */
export const Share = z.object({
  url: z.string(),
  token: text,
  /** Absent: the share doesn't expire. */
  expireTime: optionalInstant,
  /** `***` if the share has a password. */
  password: z.optional(z.string()),
  /** The range of the archive that the share is limited to (feature `share-range`); absent: live alone. */
  startTime: optionalInstant,
  endTime: optionalInstant,
  /** With a range: whether the share gives access to live, too. */
  live: z.optional(z.boolean()),
})
export type Share = z.output<typeof Share>
/**
 * Feature `share-options`. Without `expireTime` the share doesn't expire; `***` keeps the password, '' removes it.
 * `startTime`, `endTime` and `live`: feature `share-range`; without both times the share is of live alone.
 */
export const ShareOptionsBody = z.object({
  expireTime: z.nullish(instant),
  password: z.optional(atMost(1024)),
  startTime: z.nullish(instant),
  endTime: z.nullish(instant),
  live: z.optional(z.boolean()),
})
export type ShareOptionsBody = z.input<typeof ShareOptionsBody>
export const ShareUnlockBody = z.object({ token: atMost(200), password: atMost(1024) })
/** The token for the header `share-token`; it works for a day. */
export const ShareUnlocked = z.object({ token: z.string() })

export const rights = { canView: flag, canViewArchive: flag, canAdmin: flag, canDownload: download }

const maxListLength = 20_000

const permission = z.object({ login: z.string(), ...rights })
export const StreamPermissions = z.object({ permissions: list(permission) })
export type StreamPermissions = z.output<typeof StreamPermissions>
/** The answer to POST: the new list, or nothing from other servers. */
export const SavedPermissions = z.object({ permissions: z.optional(z.array(permission)) })
export const StreamPermissionsBody = z.object({
  permissions: z._default(z.array(z.object({ login: key, ...rights })).check(z.maxLength(maxListLength)), []),
})

const streamRights = z.array(z.object({ uid: z.string(), name: text, ...rights }))
export const UserPermissions = z.object({ permissions: z._default(streamRights, []) })
export type UserPermissions = z.output<typeof UserPermissions>
/** The new list, or `{}`. */
export const UserPermissionsChanged = z.object({ permissions: z.optional(streamRights) })
const UserPermission = z.object({ uid: key, name: z._default(atMost(1000), ''), ...rights })
export const UserPermissionsBody = z.object({
  permissions: z._default(z.array(UserPermission).check(z.maxLength(maxListLength)), []),
})
