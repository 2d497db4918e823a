import { call, callForBlob, pathSegment } from '../call.ts'
import { ShareUnlocked, Stream, StreamStatus } from '../contract/stream.ts'

/** One stream. `extendLease` extends the lease of an on-demand stream; send it while it plays (docs/wire.md §5.2). */
export const getStream = (uid: string, { extendLease }: { extendLease: boolean }, signal?: AbortSignal) =>
  call(Stream, { path: `/v1/stream/${pathSegment(uid)}`, query: { extend_lease: extendLease || undefined }, signal })

export const pauseStream = (uid: string, signal?: AbortSignal) =>
  call(StreamStatus, { path: `/v1/stream/pause/${pathSegment(uid)}`, method: 'POST', signal })

export const resumeStream = (uid: string, signal?: AbortSignal) =>
  call(StreamStatus, { path: `/v1/stream/resume/${pathSegment(uid)}`, method: 'POST', signal })

/** The latest JPEG of a stream. Timeout: 60 s (docs/behaviour.md §15). */
export const getLatestPreview = (uid: string, signal?: AbortSignal) =>
  callForBlob({ path: '/v1/stream/preview', query: { stream_id: uid }, signal })

/** Exchanges the token and the password of a share for a token that opens it (feature `share-options`). */
export const unlockShare = (uid: string, body: { token: string; password: string }, signal?: AbortSignal) =>
  call(ShareUnlocked, { path: `/v1/stream/${pathSegment(uid)}/share/unlock`, method: 'POST', body, signal })
