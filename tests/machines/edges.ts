import {
  createActor,
  createMachine,
  SimulatedClock,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths } from 'xstate/graph'
import { declaredEdges } from '../../src/views/dev/edges.ts'
import { keepEdges } from './kept-edges.ts'

interface Walk {
  /**
   * The same machine with the actions that need a parent or children emptied: traversal runs no effects and has neither.
   */
  model: AnyStateMachine
  input?: unknown
  /** One fixture or more of every event, the `xstate.done…`, `xstate.error…` and `xstate.after…` ones too. */
  events: readonly AnyEventObject[]
  /** Names a state of the model: its value and what its guards look at. */
  name: (snapshot: AnyMachineSnapshot) => string
}

interface Walked {
  declared: string[]
  covered: string[]
  /** Steps after which the real machine stood elsewhere than the model. */
  strayed: string[]
}

/**
 * Walks the machine edge by edge: for each state of the model and each event, the shortest path to the state and then the
 * event are played to a real actor under a real parent, with a clock that stands still.
 */
export function walkEdges(machine: AnyStateMachine, { model, input, events, name }: Walk): Walked {
  const traversal = { input, events, serializeState: name, limit: 20_000, filterEvents: isPossible }
  const paths = new Map(getShortestPaths(model, traversal).map((path) => [name(path.state), path.steps]))
  const edges = declaredEdges(machine)
  const covered = new Set<string>()
  const strayed: string[] = []
  for (const { state, event, nextState } of adjacencyMapToArray(getAdjacencyMap(model, traversal))) {
    const steps = (paths.get(name(state)) ?? []).map((step) => step.event).filter(({ type }) => type !== 'xstate.init')
    const reached = play(machine, input, [...steps, event], (transition) => covered.add(edges.get(transition) ?? ''))
    if (reached !== JSON.stringify(nextState.value)) strayed.push(`${name(state)}: ${event.type} → ${reached}`)
  }
  covered.delete('')
  keepEdges(machine.id, [...covered])
  return { declared: [...edges.values()].toSorted(), covered: [...covered].toSorted(), strayed }
}

/** Nothing happens to a machine that is done. Only an actor that runs can be done or fail; an error that nobody waits for would end the machine. */
function isPossible({ children, status }: AnyMachineSnapshot, { type }: AnyEventObject): boolean {
  if (status !== 'active') return false
  const actor = /^xstate\.(?:done|error)\.actor\.(.+)$/.exec(type)?.[1]
  return actor === undefined || Object.hasOwn(children, actor)
}

function play(
  machine: AnyStateMachine,
  input: unknown,
  events: readonly AnyEventObject[],
  taken: (transition: AnyTransitionDefinition) => void,
): string {
  const parent = createActor(createMachine({ invoke: { id: 'subject', src: machine, input: () => input } }), {
    clock: new SimulatedClock(),
    inspect: (inspection) => {
      if (inspection.type === '@xstate.microstep') inspection._transitions.forEach(taken)
    },
  })
  parent.start()
  const subject: AnyActorRef | undefined = parent.getSnapshot().children['subject']
  for (const event of events) subject?.send(event)
  const value = JSON.stringify(subject?.getSnapshot().value)
  parent.stop()
  return value
}
