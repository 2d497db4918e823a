import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { userPermissionsMachine } from '../../machines/users/user-permissions.machine.ts'

export type PageRef = ActorRefFrom<typeof userPermissionsMachine>
export type Snapshot = SnapshotFrom<typeof userPermissionsMachine>

export const selectChosen = ({ context }: Snapshot) => context.chosen
export const selectGathering = ({ children }: Snapshot) => children.gathering
