import type { InspectionEvent } from 'xstate'
import { takenEdges } from './edges.ts'

declare global {
  /**
   * Receives each edge that is taken and the active leaf states after it. The test exposes it (e2e/walk).
   */
  var edgeWalked: ((edge: string, leaves: readonly string[]) => void) | undefined
}

export function reportEdges(inspection: InspectionEvent): void {
  if (inspection.type !== '@xstate.microstep' || globalThis.edgeWalked === undefined) return
  const taken = takenEdges(inspection)
  if (taken === null) return
  const leaves = taken.snapshot._nodes.filter(({ states }) => Object.keys(states).length === 0).map(({ id }) => id)
  for (const edge of taken.edges) globalThis.edgeWalked(edge, leaves)
}
