import type { Stream } from '../../api/contract/stream.ts'
import type { PollReport } from '../polling/poll.machine.ts'

export type StreamInput = { readonly uid: string }

export type StreamEvent =
  /** The stream is being watched live, so that an on-demand one has to keep running (docs/wire.md §5.2). */
  | { readonly type: 'stream.playing' }
  | { readonly type: 'stream.idle' }
  | { readonly type: 'stream.pauseRequested' }
  | { readonly type: 'stream.resumeRequested' }
  /** The stream as it is after a change that was made here. */
  | { readonly type: 'stream.saved'; readonly stream: Stream }
  /** Somebody who was refused asks again. */
  | { readonly type: 'stream.retried' }
  | PollReport

/** What the machine tells its parent, the machine of a page about this stream. */
export type StreamReport =
  | { readonly type: 'stream.reported'; readonly stream: Stream }
  /** The server refuses this one; polling has ended. */
  | { readonly type: 'stream.forbidden' }
  /** No such stream, or none that one may know of. */
  | { readonly type: 'page.missing' }

/** Pausing or resuming a stream. */
export interface StatusChange {
  readonly uid: string
  readonly change: 'pause' | 'resume'
}
