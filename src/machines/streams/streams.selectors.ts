import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { type bulkMachine, retryable } from './bulk.machine.ts'
import type { gatheringMachine } from './gathering.machine.ts'
import type { previewsMachine } from './previews.machine.ts'
import type { streamsMachine } from './streams.machine.ts'

export type StreamsRef = ActorRefFrom<typeof streamsMachine>
export type BulkRef = ActorRefFrom<typeof bulkMachine>
export type GatheringRef = ActorRefFrom<typeof gatheringMachine>
export type PreviewsRef = ActorRefFrom<typeof previewsMachine>
type Snapshot = SnapshotFrom<typeof streamsMachine>

export const selectView = ({ context }: Snapshot) => context.view
export const selectListing = ({ context }: Snapshot) => context.listing
export const selectViewport = ({ context }: Snapshot) => context.viewport
export const selectGeneration = ({ context }: Snapshot) => context.generation
export const selectChanges = ({ context }: Snapshot) => context.changes
export const selectIsOutdated = ({ context }: Snapshot) => context.isOutdated
export const selectPanel = ({ children }: Snapshot) => children.panel
export const selectBulk = ({ children }: Snapshot) => children.bulk
export const selectPreviews = ({ children }: Snapshot) => children.previews
export const selectHasFailed = (snapshot: Snapshot) => snapshot.hasTag('error')
export const selectIsRestoring = (snapshot: Snapshot) => snapshot.matches('restoring')

/** Why the list is incomplete or out of date: pages couldn't be fetched, or statuses refreshed. */
export const selectListError = ({ context: { apiError, refreshApiError } }: Snapshot) => apiError ?? refreshApiError

/** The object URL of a stream's preview; undefined if there is none. */
export const selectPicture =
  (uid: string) =>
  (snapshot: SnapshotFrom<typeof previewsMachine> | undefined): string | undefined =>
    snapshot?.context.pictures.get(uid)

type Bulk = SnapshotFrom<typeof bulkMachine>

export const selectChosen = ({ context }: Bulk) => context.chosen
export const selectOutcomes = ({ context }: Bulk) => context.outcomes
export const selectJob = ({ context }: Bulk) => context.job
export const selectSubjects = ({ context }: Bulk) => context.subjects
export const selectIsWorking = (snapshot: Bulk) => snapshot.matches('working')
/** Whether the selection can't be changed, as it is gathered or a job runs. */
export const selectIsLocked = (snapshot: Bulk) => snapshot.hasTag('busy')
export const selectGathering = ({ children }: Bulk) => children.gathering
/** Whether streams are selected, or a job of selected ones runs or has ended. */
export const selectHasBulk = (snapshot: Bulk | undefined) =>
  snapshot !== undefined &&
  (snapshot.context.chosen.size > 0 ||
    snapshot.context.outcomes.size > 0 ||
    selectIsWorking(snapshot) ||
    selectGathering(snapshot) !== undefined)
export const selectIsTagging = (snapshot: Bulk) => snapshot.matches('tagging')
export const selectIsConfirming = (snapshot: Bulk) => snapshot.matches('confirming')
export const selectIsConfirmingLocked = (snapshot: Bulk) => snapshot.matches('confirmingLocked')
export const selectWithArchive = ({ context }: Bulk) => context.withArchive
export const selectRetryableCount = ({ context }: Bulk) => retryable(context).length
/** How many streams of the job have no outcome yet. */
export const selectOpenCount = ({ context: { waiting, running, answers } }: Bulk) =>
  waiting.length + running.length + answers.length

const noStreams: ReadonlyMap<string, Stream> = new Map()
export const selectChosenIn = (snapshot: Bulk | undefined) =>
  snapshot === undefined ? noStreams : snapshot.context.chosen

type Gathering = SnapshotFrom<typeof gatheringMachine> | undefined

export const selectGatheredCount = (snapshot: Gathering) => snapshot?.context.gathered.size ?? 0
export const selectGatheringTotal = (snapshot: Gathering) => snapshot?.context.total ?? 0
