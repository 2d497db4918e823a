import * as z from 'zod/mini'
import {
  atMost,
  flag,
  instant,
  items,
  key,
  licenseText,
  list,
  numberOr,
  optionalInstant,
  page,
  queryInteger,
  text,
} from './wire.ts'

export const License = z.object({
  expired: flag,
  text: text,
  expiresAt: optionalInstant,
  features: list(z.string()),
})
export type License = z.output<typeof License>
export const LicenseBody = z.object({ text: licenseText })

export const SystemStats = z.object({
  cpuPercent: numberOr(0),
  memoryUsedBytes: numberOr(0),
  memoryTotalBytes: numberOr(0),
  disk: z.prefault(z.object({ usedBytes: numberOr(0), totalBytes: numberOr(0) }), {}),
  streams: z.prefault(z.object({ total: numberOr(0), running: numberOr(0) }), {}),
  viewers: numberOr(0),
  uptimeSeconds: numberOr(0),
})
export type SystemStats = z.output<typeof SystemStats>

/** `node`: of a cluster; by default the one that answers. */
export const SeriesQuery = z.object({ from: instant, to: instant, node: z.optional(atMost(60)) })
/** `points` are `[time, value]` pairs; null: not measured. */
export const Series = z.object({
  series: list(z.object({ name: text, unit: text, points: list(z.tuple([instant, z.nullable(z.number())])) })),
})
export type Series = z.output<typeof Series>

export const ServerConfiguration = z.object({
  values: z._default(z.record(z.string(), z.unknown()), {}),
  schema: z._default(z.record(z.string(), z.unknown()), {}),
})
export type ServerConfiguration = z.output<typeof ServerConfiguration>
/** The values after the change, if the server returns them. */
export const SavedConfiguration = z.object({ values: z._default(z.record(z.string(), z.unknown()), {}) })
export type SavedConfiguration = z.output<typeof SavedConfiguration>
export const ServerConfigurationBody = z.object({ values: z.record(z.string(), z.unknown()) })

/** Newest first. An empty `login` marks the initial configuration. Feature `configuration-history`. */
export const ConfigurationHistory = items(
  z.object({ id: z.string(), time: instant, login: text, values: z.record(z.string(), z.unknown()) }),
)
export type ConfigurationHistory = z.output<typeof ConfigurationHistory>

export const AuditQuery = z.object({
  page: z._default(queryInteger, 1),
  from: z.optional(instant),
  to: z.optional(instant),
  login: z.optional(key),
  action: z.optional(key),
})
/** A changed field or setting; the values of a secret are `***` or absent. */
export const AuditChange = z.object({ path: z.string(), from: z.optional(z.string()), to: z.optional(z.string()) })
/**
 * `action` is `things.verb`; a filter may name the things alone. `target` is the object's id or login; for the archive
 * `uid from/to` or `uid time`. `name` is the object's current name, if known. `outcome` is `ok`, the code of the error,
 * `started` until the call ends, `aborted` if a download broke off, or `interrupted` if the server stopped during it.
 *
 * The rest is optional. `userId` and `targetId`: ids of users, which a change of login keeps. `userName`: the user's
 * current login, if it has changed. `changes`: the changed fields. `claimed`: the name that the caller gave if nothing
 * has that name. `times`: the number of calls in this entry, the last one at `endTime`. `bytes`: how much of a download
 * was sent, until `endTime`. A viewing longer than 2 s went on until about `endTime`. `node`: the node of a cluster
 * that wrote the entry.
 */
export const AuditEntry = z.object({
  id: z.string(),
  time: optionalInstant,
  login: text,
  action: text,
  target: text,
  name: text,
  ip: text,
  outcome: text,
  userId: z.optional(z.string()),
  userName: z.optional(z.string()),
  targetId: z.optional(z.string()),
  endTime: optionalInstant,
  claimed: z.optional(z.string()),
  changes: z.optional(z.array(AuditChange)),
  times: z.optional(z.number()),
  bytes: z.optional(z.number()),
  node: z.optional(z.string()),
})
export type AuditEntry = z.output<typeof AuditEntry>
/** `hasMore`: more than `total` match, and the server didn't count them. */
export const AuditPage = z.extend(page(AuditEntry), { hasMore: z.optional(z.boolean()) })
export type AuditPage = z.output<typeof AuditPage>

/** Diagnostics for support staff. Feature `support-bundle`. */
export const SupportBundle = z.looseObject({})

export const SearchQuery = z.object({ query: atMost(200) })
export const SearchAnswer = z.object({
  streams: list(z.object({ uid: z.string(), name: text })),
  mosaics: list(z.object({ id: z.string(), name: text })),
  users: list(z.object({ name: z.string() })),
})
export type SearchAnswer = z.output<typeof SearchAnswer>

export const UiNodes = items(z.object({ id: z.string(), name: text, available: flag }))

/** Recordings of a stream that only the disks of a node have. */
const HeldRecording = z.object({
  streamId: z.string(),
  name: text,
  bytes: numberOr(0),
  startTime: instant,
  endTime: instant,
})
export type HeldRecording = z.output<typeof HeldRecording>

/**
 * A node. Only servers that share a database have the fields after `diskUsedPercent`: a node that is `lost` stopped its
 * beats without leaving the cluster; `spoolBytes` of recordings wait for the bucket, the oldest of which begins
 * `handInLagSeconds` ago. Removing an unavailable node deletes `heldRecordings` from the archive.
 */
export const ClusterNode = z.object({
  id: z.string(),
  name: text,
  address: text,
  available: flag,
  drained: flag,
  version: text,
  streams: numberOr(0),
  cpuPercent: numberOr(0),
  diskUsedPercent: numberOr(0),
  lost: z.optional(z.boolean()),
  lastBeatTime: optionalInstant,
  spoolBytes: z.optional(z.number()),
  handInLagSeconds: z.optional(z.number()),
  clockAheadSeconds: z.optional(z.number()),
  viewers: z.optional(z.number()),
  heldRecordings: z.optional(z.array(HeldRecording)),
})
export type ClusterNode = z.output<typeof ClusterNode>
export const ClusterNodes = items(ClusterNode)
export const DrainBody = z.object({ drained: z.boolean() })

/** `node`: another node of the cluster, whose tunnel it is. Only that node can stop it. */
export const Tunnel = z.object({
  status: text,
  url: text,
  location: text,
  failureReason: text,
  node: z.optional(z.string()),
})
export type Tunnel = z.output<typeof Tunnel>
export const TunnelStartBody = z.object({ location: key })

export const Bookmark = z.object({ id: z.string(), streamId: z.string(), time: instant, note: text })
export type Bookmark = z.output<typeof Bookmark>
export const Bookmarks = items(Bookmark)
const maxNoteLength = 2000
const note = z._default(atMost(maxNoteLength), '')
export const BookmarkBody = z.object({ streamId: key, time: instant, note })
/** PATCH /v1/bookmark/{id}; the stream can't be changed. */
export const BookmarkPatch = z.object({ time: z.optional(instant), note: z.optional(atMost(maxNoteLength)) })
