import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { locksMachine } from './locks.machine.ts'

export type LocksRef = ActorRefFrom<typeof locksMachine>
type Snapshot = SnapshotFrom<typeof locksMachine> | undefined

const none: readonly never[] = []

export const selectLocks = (snapshot: Snapshot) => snapshot?.context.locks ?? none
export const selectAreLocksKnown = (snapshot: Snapshot) => snapshot?.context.isKnown === true
export const selectLocksApiError = (snapshot: Snapshot) => snapshot?.context.apiError ?? null
/** Whether the user may lock recordings of the stream. */
export const selectCanLock = (snapshot: Snapshot) => snapshot?.matches({ list: 'open' }) === true
export const selectLockDialog = (snapshot: Snapshot) => snapshot?.value.dialog ?? 'closed'
export const selectHasLockDialog = (snapshot: Snapshot) => selectLockDialog(snapshot) !== 'closed'
export const selectLockForm = (snapshot: Snapshot) => snapshot?.children.form
export const selectChosenLock = (snapshot: Snapshot) => snapshot?.context.chosen ?? null
export const selectUnlockApiError = (snapshot: Snapshot) => snapshot?.context.unlockApiError ?? null
