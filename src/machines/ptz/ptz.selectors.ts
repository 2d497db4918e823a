import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { ptzMachine } from './ptz.machine.ts'

export type PtzRef = ActorRefFrom<typeof ptzMachine>
type Snapshot = SnapshotFrom<typeof ptzMachine>

/** Whether the stream has PTZ that the user may use; false until the machine is loaded. */
export const selectHasPtz = (snapshot: Snapshot | undefined) =>
  snapshot !== undefined && snapshot.context.abilities !== null
export const selectIsPadOpen = (snapshot: Snapshot | undefined) => snapshot?.matches({ pad: 'open' }) === true
export const selectAbilities = ({ context }: Snapshot) => context.abilities
export const selectPtzError = ({ context }: Snapshot) => context.apiError
export const selectIsMoving = (snapshot: Snapshot) =>
  snapshot.matches({ control: 'calling' }) || snapshot.matches({ control: 'holding' })
export const selectPresets = ({ context }: Snapshot) => context.presets
export const selectPresetsState = (snapshot: Snapshot) => snapshot.value.presets
export const selectPresetName = ({ context }: Snapshot) => context.name
export const selectRemoving = ({ context }: Snapshot) => context.removing
