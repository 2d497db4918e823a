import { StateMachine, isMachineSnapshot, type AnyStateMachine, type AnyTransitionDefinition, type InspectionEvent } from 'xstate'
import { declaredEdges } from './edges.ts'

declare global {
  /** Takes what was walked: the edge, and the leaf states that the machine then stands in. A test exposes it (e2e/walk). */
  var edgeWalked: ((edge: string, leaves: readonly string[]) => void) | undefined
}

const known = new WeakMap<AnyStateMachine, Map<AnyTransitionDefinition, string>>()

function edgesOf(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const edges = known.get(machine) ?? declaredEdges(machine)
  known.set(machine, edges)
  return edges
}

/** Tells the test of every transition that a machine takes on the real screen. */
export function tellEdges(inspection: InspectionEvent): void {
  if (inspection.type !== '@xstate.microstep' || globalThis.edgeWalked === undefined) return
  const { actorRef, snapshot, _transitions } = inspection
  if (!('logic' in actorRef) || !(actorRef.logic instanceof StateMachine) || !isMachineSnapshot(snapshot)) return
  const leaves = snapshot._nodes.filter(({ states }) => Object.keys(states).length === 0).map(({ id }) => id)
  const edges = edgesOf(actorRef.logic)
  for (const transition of _transitions) globalThis.edgeWalked(edges.get(transition) ?? '', leaves)
}
