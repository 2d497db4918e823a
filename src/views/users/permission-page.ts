import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Right } from '../../machines/permissions/rights.ts'
import type { userPermissionsMachine } from '../../machines/users/user-permissions.machine.ts'

export type PageRef = ActorRefFrom<typeof userPermissionsMachine>
export type Names = Readonly<Record<Right, string>>
export type Snapshot = SnapshotFrom<typeof userPermissionsMachine>

export const selectChosen = ({ context }: Snapshot) => context.chosen
export const selectGathering = ({ children }: Snapshot) => children.gathering
