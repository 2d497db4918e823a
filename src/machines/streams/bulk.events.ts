import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { GatheringInput } from './gathering.machine.ts'
import type { RemovalEvent } from '../stream-pages/removal.machine.ts'
import type { Credentials } from '../stream-pages/source-credentials.ts'

/** What is done with each selected stream. */
export type BulkJob =
  | { readonly kind: 'pause' | 'resume' | 'unshare' }
  | { readonly kind: 'tag'; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** Sets the credentials in the sources; empty ones are removed. */
  | ({ readonly kind: 'credentials' } & Credentials)
  /** `unlocked`: the uids of the streams whose locked recordings are deleted, too. */
  | { readonly kind: 'delete'; readonly purge: boolean; readonly unlocked: readonly string[] }

/** The outcome for one stream; `left`: not begun, as the job was cancelled; `skipped`: its sources take no login. */
export type BulkOutcome =
  | { readonly kind: 'done' | 'left' | 'skipped' }
  | { readonly kind: 'refused'; readonly apiError: ApiError }

export interface BulkWork {
  readonly stream: Stream
  readonly job: BulkJob
}

/** The reply for one stream: the stream as it is now, or null once it is deleted. */
export interface BulkAnswer {
  readonly uid: string
  readonly reply: Reply<Stream | null>
}

export type BulkEvent =
  | { type: 'choice.toggled'; stream: Stream }
  | { type: 'choice.extended'; streams: readonly Stream[] }
  | { type: 'choice.cleared' }
  /** Selects all streams of the query; for users other than administrators only those that they administer. */
  | { type: 'choice.allRequested'; gathering: GatheringInput; isAdmin: boolean }
  | { type: 'gathering.cancelled' }
  | { type: 'job.requested'; job: Exclude<BulkJob, { kind: 'delete' }> }
  | { type: 'job.cancelled' }
  /** Runs the last job again on the streams that it refused or left. */
  | { type: 'job.retried' }
  /** Opens the dialog for tags. */
  | { type: 'tagging.requested' }
  | { type: 'tagging.cancelled' }
  | RemovalEvent
  | ({ type: 'work.ended' } & BulkAnswer)

/** `changed`: the job changed these streams; `ended`: the job ended. */
export type BulkReport = { type: 'bulk.changed'; streams: readonly Stream[] } | { type: 'bulk.ended' }

export interface BulkContext {
  /** The selected streams by uid, as each was when it was selected or last changed. */
  readonly chosen: ReadonlyMap<string, Stream>
  /** The streams that Select all gathers, and whether the user may select all of them. */
  readonly selectAll: { readonly gathering: GatheringInput; readonly isAdmin: boolean }
  readonly job: BulkJob | null
  /** The streams of the job, by uid. */
  readonly subjects: ReadonlyMap<string, Stream>
  /** Whether deleting streams deletes their recordings, too. */
  readonly withArchive: boolean
  /** The uids of the streams that the job hasn't begun, and of those it is working on. */
  readonly waiting: readonly string[]
  readonly running: readonly string[]
  /** Results that aren't among the outcomes yet. */
  readonly answers: readonly BulkAnswer[]
  readonly outcomes: ReadonlyMap<string, BulkOutcome>
}
