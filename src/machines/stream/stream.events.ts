import type { Stream } from '../../api/contract/stream.ts'
import type { PollReport } from '../polling/poll.machine.ts'

export type StreamInput = { readonly uid: string }

export type StreamEvent =
  /** Live playback has started: an on-demand stream must keep running (docs/wire.md §5.2). `idle`: it has ended. */
  | { readonly type: 'stream.playing' }
  | { readonly type: 'stream.idle' }
  | { readonly type: 'stream.pauseRequested' }
  | { readonly type: 'stream.resumeRequested' }
  /** A form has saved the stream, or pausing or resuming has changed its status. `stream`: as the server answered. */
  | { readonly type: 'stream.saved'; readonly stream: Stream }
  | { readonly type: 'stream.retried' }
  | PollReport

export type StreamReport =
  /** The stream, when it is first known and after each change. */
  | { readonly type: 'stream.reported'; readonly stream: Stream }
  /** The server refuses the stream; `code`: that of the ApiError. */
  | { readonly type: 'stream.forbidden'; readonly code: string }
  /** The stream doesn't exist, or the user isn't allowed to know that it does. */
  | { readonly type: 'page.missing' }

export interface StatusChange {
  readonly uid: string
  readonly change: 'pause' | 'resume'
}
