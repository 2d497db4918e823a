import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { sidePanelMachine } from './side-panel.machine.ts'

export type SidePanelRef = ActorRefFrom<typeof sidePanelMachine>
type Snapshot = SnapshotFrom<typeof sidePanelMachine>

export type SidePanelPhase = 'closed' | 'opening' | 'open' | 'closing'

export function selectPhase({ value: { panel } }: Snapshot): SidePanelPhase {
  return panel === 'deciding' ? 'closed' : panel
}

export const selectIsPanelOpen = (snapshot: Snapshot) => snapshot.hasTag('open')

export const selectCoversPage = ({ context: { isFixed, isSmall } }: Snapshot) => isFixed || isSmall
