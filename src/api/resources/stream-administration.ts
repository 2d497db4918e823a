import { call, callForBlob, pathSegment } from '../call.ts'
import type { MasksBody } from '../contract/masks.ts'
import {
  Logs,
  Probe,
  SavedPermissions,
  SavedStream,
  Share,
  type ShareOptionsBody,
  Stream,
  StreamCreated,
  type StreamBody,
  StreamPermissions,
  StreamsPage,
} from '../contract/stream.ts'
import { SearchAnswer, UiNodes } from '../contract/system.ts'
import { nothing } from '../contract/wire.ts'
import { mapReply } from '../map-reply.ts'

/** A source by its URL, or that of a stream. With both, `***` in `url` stands for the credentials of the latter. */
export interface SourceQuery {
  url?: string
  streamId?: string
}

const creationTimeoutMs = 35_000
const sourceTimeoutMs = 60_000

const pathOf = (uid: string, name: string) => `/v1/stream/${pathSegment(uid)}/${name}`
const queryOf = ({ url, streamId }: SourceQuery) => ({ url, stream_id: streamId })

/** Timeout: 35 s (docs/behaviour.md §15). Errors: ProbeError, ValidationError, QuotaReached, LicenseExpired. */
export const createStream = (body: StreamBody, signal?: AbortSignal) =>
  call(StreamCreated, { path: '/v1/stream', method: 'POST', body, signal, timeoutMs: creationTimeoutMs })

/** The reply is the saved stream, without a name if the server answers nothing. */
export const saveStream = (uid: string, body: StreamBody, signal?: AbortSignal) =>
  call(SavedStream, { path: `/v1/stream/${pathSegment(uid)}`, method: 'PUT', body, signal })

/**
 * `purge` deletes the archive too; refused while a range of it is locked, unless `unlock` is set (docs/wire.md §6,
 * `locks`).
 */
export const deleteStream = (uid: string, options: { purge: boolean; unlock?: boolean }, signal?: AbortSignal) =>
  call(nothing, {
    path: `/v1/stream/${pathSegment(uid)}`,
    method: 'DELETE',
    query: { purge: options.purge || undefined, unlock: options.unlock || undefined },
    signal,
  })

/** The tracks of a source; ProbeError has the reason if there are none. Timeout: 60 s (docs/behaviour.md §15). */
export const probeSource = (source: SourceQuery, signal?: AbortSignal) =>
  call(Probe, { path: '/v1/stream/probe', query: queryOf(source), signal, timeoutMs: sourceTimeoutMs })

/** A JPEG of a source. Timeout: 60 s (docs/behaviour.md §15). */
export const getSourcePicture = (source: SourceQuery, signal?: AbortSignal) =>
  callForBlob({ path: '/v1/stream/preview', query: queryOf(source), signal, timeoutMs: sourceTimeoutMs })

/** Replaces the privacy masks of a stream (feature `masks`). */
export const saveMasks = (uid: string, body: MasksBody, signal?: AbortSignal) =>
  call(Stream, { path: pathOf(uid, 'masks'), method: 'PUT', body, signal })

/** The latest picture of a stream without its privacy masks (feature `masks`). Timeout: 60 s. */
export const getUnmaskedPicture = (uid: string, signal?: AbortSignal) =>
  callForBlob({
    path: '/v1/stream/preview',
    query: { stream_id: uid, unmasked: true },
    signal,
    timeoutMs: sourceTimeoutMs,
  })

/** The stream's log; with `after`, the id of a line, only the lines after it (docs/wire.md §5.2). */
export const getStreamLogs = (uid: string, after: string | null, signal?: AbortSignal) =>
  call(Logs, { path: pathOf(uid, 'logs'), query: { after: after ?? undefined }, signal })

/** Turns public access on, or returns the link if it is on. Call it only on a click (docs/wire.md §5.2, share). */
export const openShare = (uid: string, signal?: AbortSignal) => call(Share, { path: pathOf(uid, 'share'), signal })

/** Changes the options of a share; only with the feature `share-options`. */
export const changeShare = (uid: string, body: ShareOptionsBody, signal?: AbortSignal) =>
  call(Share, { path: pathOf(uid, 'share'), method: 'PUT', body, signal })

export const withdrawShare = (uid: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(uid, 'share'), method: 'DELETE', signal })

export const getStreamPermissions = (uid: string, signal?: AbortSignal) =>
  call(StreamPermissions, { path: pathOf(uid, 'permissions'), signal })

/** Replaces the whole list; the reply is the new list, or the one sent if the server answers nothing. */
export const saveStreamPermissions = async (uid: string, body: StreamPermissions, signal?: AbortSignal) =>
  mapReply(
    await call(SavedPermissions, { path: pathOf(uid, 'permissions'), method: 'POST', body, signal }),
    ({ permissions = body.permissions }) => ({ permissions }),
  )

/** The nodes that a stream can be assigned to. */
export const getNodes = (signal?: AbortSignal) => call(UiNodes, { path: '/v1/system/internal/ui/nodes', signal })

/** Streams, mosaics and users that match and that the caller may see (docs/wire.md §5.1). */
export const search = (query: string, signal?: AbortSignal) =>
  call(SearchAnswer, { path: '/v1/system/search', query: { query }, signal })

/** The first page of the streams, with the default order. */
export const getFirstStreams = (signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page: 1 }, signal })
