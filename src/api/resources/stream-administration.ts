import { call, callForBlob, segment } from '../call.ts'
import {
  Logs,
  Probe,
  Share,
  type ShareOptionsBody,
  Stream,
  StreamCreated,
  type StreamDraft,
  StreamPermissions,
  StreamsPage,
} from '../contract/stream.ts'
import { SearchAnswer, UiNodes } from '../contract/system.ts'
import { nothing } from '../contract/wire.ts'

/** Both together: the address, with the stream's credentials behind `***`. */
export interface SourceQuestion {
  url?: string
  streamId?: string
}

const creationMs = 35_000
const sourceMs = 60_000

const resource = (uid: string, name: string) => `/v1/stream/${segment(uid)}/${name}`
const asked = ({ url, streamId }: SourceQuestion) => ({ url, stream_id: streamId })

/** Answers the uid; 35 s at most (docs/behaviour.md §15). ProbeError, ValidationError, QuotaReached, LicenseExpired. */
export const createStream = (body: StreamDraft, signal?: AbortSignal) =>
  call(StreamCreated, { path: '/v1/stream', method: 'POST', body, signal, timeoutMs: creationMs })

export const saveStream = (uid: string, body: StreamDraft, signal?: AbortSignal) =>
  call(Stream, { path: `/v1/stream/${segment(uid)}`, method: 'PUT', body, signal })

/** `unlock`: what is locked goes as well; without it a purge of that is refused (docs/wire.md §6, `locks`). */
export const deleteStream = (uid: string, how: { purge: boolean; unlock?: boolean }, signal?: AbortSignal) =>
  call(nothing, {
    path: `/v1/stream/${segment(uid)}`,
    method: 'DELETE',
    query: { purge: how.purge || undefined, unlock: how.unlock || undefined },
    signal,
  })

/** What a source carries; 60 s at most (docs/behaviour.md §15). A failure is a ProbeError with the reason. */
export const probeSource = (question: SourceQuestion, signal?: AbortSignal) =>
  call(Probe, { path: '/v1/stream/probe', query: asked(question), signal, timeoutMs: sourceMs })

/** A picture of a source, an `image/jpeg`; 60 s at most (docs/behaviour.md §15). */
export const getSourcePicture = (question: SourceQuestion, signal?: AbortSignal) =>
  callForBlob({ path: '/v1/stream/preview', query: asked(question), signal, timeoutMs: sourceMs })

/** The stream's log; with `after`, the id of the last line already had, only the lines since (docs/wire.md §5.2). */
export const getStreamLogs = (uid: string, after: string | null, signal?: AbortSignal) =>
  call(Logs, { path: resource(uid, 'logs'), query: { after: after ?? undefined }, signal })

/** Switches public access on: the same link while it is on. Call it on a click only (docs/wire.md §5.2, share). */
export const openShare = (uid: string, signal?: AbortSignal) => call(Share, { path: resource(uid, 'share'), signal })

/** Only where the feature `share-options` is announced. */
export const changeShare = (uid: string, body: ShareOptionsBody, signal?: AbortSignal) =>
  call(Share, { path: resource(uid, 'share'), method: 'PUT', body, signal })

export const withdrawShare = (uid: string, signal?: AbortSignal) =>
  call(nothing, { path: resource(uid, 'share'), method: 'DELETE', signal })

export const getStreamPermissions = (uid: string, signal?: AbortSignal) =>
  call(StreamPermissions, { path: resource(uid, 'permissions'), signal })

/** Replaces the whole list and answers it as it is then. */
export const saveStreamPermissions = (uid: string, body: StreamPermissions, signal?: AbortSignal) =>
  call(StreamPermissions, { path: resource(uid, 'permissions'), method: 'POST', body, signal })

export const getNodes = (signal?: AbortSignal) => call(UiNodes, { path: '/v1/system/internal/ui/nodes', signal })

/** What the caller may see of what matches (docs/wire.md §5.2). */
export const search = (query: string, signal?: AbortSignal) =>
  call(SearchAnswer, { path: '/v1/system/search', query: { query }, signal })

export const getFirstStreams = (signal?: AbortSignal) =>
  call(StreamsPage, { path: '/v1/streams', query: { page: 1 }, signal })
