import type { ApiError } from '../../api/reply.ts'

/**
 * A range of a stream's archive to download. The file is named by the stream's `name` and the local time in `zone`, an
 * IANA name. `maxSeconds` is the longest range of one file (`archiveDownloadMaxSeconds`).
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
  /** Removes all ended downloads from the list. */
  | { readonly type: 'clips.cleared' }
  /** Another user has signed in, or nobody is signed in. */
  | { readonly type: 'user.switched' }
  /** `bytes` have arrived so far of the file's `total`; null if the server doesn't announce it. */
  | { readonly type: 'download.advanced'; readonly bytes: number; readonly total: number | null }
  | { readonly type: 'download.saved'; readonly bytes: number }
  | { readonly type: 'download.refused'; readonly apiError: ApiError }
