import type { Stream } from '../../api/contract/stream.ts'
import type { PollReport } from '../polling/poll.machine.ts'

export type StreamInput = { readonly uid: string }

export type StreamEvent =
  /** The stream is being watched live, so that an on-demand one has to keep running (docs/wire.md §5.2). */
  | { readonly type: 'stream.playing' }
  | { readonly type: 'stream.idle' }
  | { readonly type: 'stream.pauseRequested' }
  | { readonly type: 'stream.resumeRequested' }
  | { readonly type: 'stream.saved'; readonly stream: Stream }
  | { readonly type: 'stream.retried' }
  | PollReport

export type StreamReport =
  | { readonly type: 'stream.reported'; readonly stream: Stream }
  | { readonly type: 'stream.forbidden'; readonly code: string }
  /** The stream doesn't exist, or the user may not know of it. */
  | { readonly type: 'page.missing' }

export interface StatusChange {
  readonly uid: string
  readonly change: 'pause' | 'resume'
}
