import type { ApiError } from '../../api/reply.ts'

/**
 * A range of a stream's archive to download, in epoch milliseconds. The file is named by the stream's `name` and the
 * local time in `zone`, an IANA name. `maxSeconds` is the longest range of one file (`archiveDownloadMaxSeconds`).
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
  | { readonly type: 'user.switched' }
  /** `bytes` is what has arrived so far, `total` the size of the file; null if the server doesn't announce it. */
  | { readonly type: 'download.advanced'; readonly bytes: number; readonly total: number | null }
  | { readonly type: 'download.saved'; readonly bytes: number }
  | { readonly type: 'download.refused'; readonly apiError: ApiError }
