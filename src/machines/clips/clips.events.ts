import type { ApiError } from '../../api/reply.ts'

/**
 * A range of a stream's archive to keep as video. Moments are epoch milliseconds, `zone` the IANA name of the zone that
 * names the file, `name` the stream's; `maxSeconds` is the longest that one file may hold
 * (`archiveDownloadMaxSeconds`).
 */
export type Clip = {
  readonly uid: string
  readonly name: string
  readonly from: number
  readonly to: number
  readonly zone: string
  readonly maxSeconds: number
}

export type ClipsEvent =
  | { readonly type: 'clips.requested'; readonly clip: Clip }
  | { readonly type: 'clips.cancelled'; readonly id: number }
  | { readonly type: 'clips.retried'; readonly id: number }
  | { readonly type: 'clips.dismissed'; readonly id: number }
  | { readonly type: 'clips.cleared' }
  | { readonly type: 'viewer.changed' }
  /** `total` is null if unknown. */
  | { readonly type: 'download.advanced'; readonly bytes: number; readonly total: number | null }
  | { readonly type: 'download.saved'; readonly bytes: number }
  | { readonly type: 'download.refused'; readonly apiError: ApiError }
