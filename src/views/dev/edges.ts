import {
  Actor,
  StateMachine,
  isMachineSnapshot,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type InspectedMicrostepEvent,
} from 'xstate'

export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  const nodes: AnyStateNode[] = [machine.root]
  for (const node of nodes) nodes.push(...Object.values(node.states))
  return nodes
}

/** The ids of the states without substates. */
export const leavesOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine)
    .filter(({ states }) => Object.keys(states).length === 0)
    .map(({ id }) => id)

type Guard = NonNullable<AnyTransitionDefinition['guard']>

/** The name of a guard; null for an inline function, whose code a build changes. */
export const nameOfGuard = (guard: Guard): string | null =>
  typeof guard === 'string' ? guard : 'type' in guard && typeof guard.type === 'string' ? guard.type : null

/** A readable name of the event: `play.requested`, `after pollInterval`, `done fetchUser`, `always`. */
export function eventOf({ eventType: type, source }: AnyTransitionDefinition): string {
  const [, kind, rest = ''] = /^xstate\.(after|done\.actor|error\.actor|done\.state)\.(.+)$/.exec(type) ?? []
  if (type === '') return 'always'
  if (kind === undefined) return type === '*' ? 'any other' : type
  if (kind === 'after') return `after ${durationOf(rest.slice(0, -source.id.length - 1))}`
  if (kind === 'done.state') return 'done'
  return `${kind === 'done.actor' ? 'done' : 'error'} ${rest}`
}

/** A delay as its name, or as its milliseconds converted to seconds. */
const durationOf = (delay: string) => (/^\d+$/.test(delay) ? `${Number(delay) / 1000} s` : delay)

const targetOf = ({ target }: AnyTransitionDefinition) =>
  target === undefined ? 'stays' : `→ ${target.map(({ key }) => key).join(' ')}`

/** What distinguishes a transition from the others of its event: its guard, that it has none, or its target. */
function conditionOf(transition: AnyTransitionDefinition, all: readonly AnyTransitionDefinition[]): string {
  const { guard } = transition
  if (guard === undefined) return all.length === 1 ? '' : ', otherwise'
  const name = nameOfGuard(guard)
  if (name === null) return `, ${targetOf(transition)}`
  const isShared = all.some(
    (other) => other !== transition && other.guard !== undefined && nameOfGuard(other.guard) === name,
  )
  return `, when ${name}${isShared ? ` ${targetOf(transition)}` : ''}`
}

/** The names of all transitions, such as `media.ready engine.ended, when isLive` or `boot.booting done boot`. */
export function declaredEdges(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const edges = new Map<AnyTransitionDefinition, string>()
  for (const node of nodesOf(machine)) {
    for (const transitions of [...node.transitions.values(), node.always ?? []]) {
      for (const transition of transitions)
        edges.set(transition, `${node.id} ${eventOf(transition)}${conditionOf(transition, transitions)}`)
    }
  }
  return edges
}

const edgesByMachine = new WeakMap<AnyStateMachine, Map<AnyTransitionDefinition, string>>()

function edgesOf(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const edges = edgesByMachine.get(machine) ?? declaredEdges(machine)
  edgesByMachine.set(machine, edges)
  return edges
}

/** The edges of a microstep and the snapshot after it; null for actors that aren't machines. */
export function takenEdges({
  actorRef,
  snapshot,
  _transitions,
}: InspectedMicrostepEvent): { edges: string[]; snapshot: AnyMachineSnapshot } | null {
  if (!(actorRef instanceof Actor) || !isMachineSnapshot(snapshot) || !(actorRef.logic instanceof StateMachine))
    return null
  const edges = edgesOf(actorRef.logic)
  return { edges: _transitions.map((transition) => edges.get(transition) ?? ''), snapshot }
}
