import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { markedBy, offeredBy, type paletteMachine } from './palette.machine.ts'

export type PaletteRef = ActorRefFrom<typeof paletteMachine>
type Snapshot = SnapshotFrom<typeof paletteMachine>

export const selectIsOpen = (snapshot: Snapshot) => snapshot.matches('open')
export const selectQuery = ({ context }: Snapshot) => context.query
export const selectScope = ({ context }: Snapshot) => context.scope
export const selectApiError = ({ context }: Snapshot) => context.apiError
export const selectIsBusy = (snapshot: Snapshot) => snapshot.hasTag('busy')
export const selectMarked = ({ context }: Snapshot) => markedBy(context)?.id ?? ''

export const selectOffered = ({ context }: Snapshot) => offeredBy(context)
/** `selectOffered` makes a new list each time. */
export const areSame = (one: ReturnType<typeof selectOffered>, other: ReturnType<typeof selectOffered>) =>
  JSON.stringify(one) === JSON.stringify(other)
