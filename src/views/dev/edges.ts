import { Actor, StateMachine, isMachineSnapshot, type AnyMachineSnapshot, type AnyStateMachine, type AnyStateNode, type AnyTransitionDefinition, type InspectedMicrostepEvent } from 'xstate'

/** Every state node of a machine, parents first. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  const nodes: AnyStateNode[] = [machine.root]
  for (const node of nodes) nodes.push(...Object.values(node.states))
  return nodes
}

/** The states that have no others in them, by their ids. */
export const leavesOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine).filter(({ states }) => Object.keys(states).length === 0).map(({ id }) => id)

/** `source event index` of every transition that the chart declares; guarded alternatives are numbered in order. */
export function declaredEdges(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const edges = new Map<AnyTransitionDefinition, string>()
  for (const node of nodesOf(machine)) {
    for (const [event, transitions] of node.transitions) {
      transitions.forEach((transition, index) => edges.set(transition, `${node.id} ${event} ${index}`))
    }
    node.always?.forEach((transition, index) => edges.set(transition, `${node.id} always ${index}`))
  }
  return edges
}

const known = new WeakMap<AnyStateMachine, Map<AnyTransitionDefinition, string>>()

function edgesOf(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const edges = known.get(machine) ?? declaredEdges(machine)
  known.set(machine, edges)
  return edges
}

/** The edges of one microstep, and where it led; null for what isn't a machine. */
export function takenEdges({ actorRef, snapshot, _transitions }: InspectedMicrostepEvent): { edges: string[]; snapshot: AnyMachineSnapshot } | null {
  if (!(actorRef instanceof Actor) || !isMachineSnapshot(snapshot) || !(actorRef.logic instanceof StateMachine)) return null
  const edges = edgesOf(actorRef.logic)
  return { edges: _transitions.map((transition) => edges.get(transition) ?? ''), snapshot }
}
