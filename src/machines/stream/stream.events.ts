import type { Stream } from '../../api/contract/stream.ts'
import type { PollReport } from '../polling/poll.machine.ts'

export type StreamInput = { readonly uid: string }

export type StreamEvent =
  /** Watching live began, so that an on-demand stream has to keep running (docs/wire.md §5.2), or ended: `idle`. */
  | { readonly type: 'stream.playing' }
  | { readonly type: 'stream.idle' }
  | { readonly type: 'stream.pauseRequested' }
  | { readonly type: 'stream.resumeRequested' }
  /** A form has saved the stream; the answer of the server. */
  | { readonly type: 'stream.saved'; readonly stream: Stream }
  | { readonly type: 'stream.retried' }
  | PollReport

export type StreamReport =
  /** The stream, when it is first known and after each change. */
  | { readonly type: 'stream.reported'; readonly stream: Stream }
  /** The server refuses the stream, with this code of the ApiError. */
  | { readonly type: 'stream.forbidden'; readonly code: string }
  /** The stream doesn't exist, or the user may not know that it does. */
  | { readonly type: 'page.missing' }

export interface StatusChange {
  readonly uid: string
  readonly change: 'pause' | 'resume'
}
