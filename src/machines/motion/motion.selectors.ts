import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { motionMachine } from './motion.machine.ts'

export type MotionRef = ActorRefFrom<typeof motionMachine>
type Snapshot = SnapshotFrom<typeof motionMachine>

const noMotion: readonly never[] = []

export const selectMotionArea = ({ context }: Snapshot) => context.area
export const selectSearchPeriod = ({ context }: Snapshot) => context.searchPeriod
export const selectSensitivity = ({ context }: Snapshot) => context.sensitivity
export const selectFoundMotion = (snapshot: Snapshot | undefined) => snapshot?.context.items ?? noMotion
export const selectIsBySize = ({ context }: Snapshot) => context.isBySize
export const selectMotionApiError = ({ context }: Snapshot) => context.apiError
export const selectMotionPreviews = ({ context }: Snapshot) => context.previews
export const selectMotionUid = ({ context }: Snapshot) => context.uid
/** Whether the search ended before all of the range was searched. */
export const selectIsPartial = ({ context: { range, searchedUntil } }: Snapshot) => searchedUntil < range.to
/** How far the range has been searched, from 0 to 1. */
export const selectProgress = ({ context: { range, searchedUntil } }: Snapshot) =>
  range.to === range.from ? 0 : (searchedUntil - range.from) / (range.to - range.from)
export const selectMotionPhase = (snapshot: Snapshot): 'drawing' | 'searching' | 'shown' | 'failed' => {
  if (snapshot.matches('searching')) return 'searching'
  return snapshot.matches('shown') ? 'shown' : snapshot.matches('failed') ? 'failed' : 'drawing'
}
