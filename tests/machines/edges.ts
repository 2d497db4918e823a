import {
  createActor,
  createMachine,
  SimulatedClock,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths } from 'xstate/graph'
import { declaredEdges, takenEdges } from '../../src/views/dev/edges.ts'
import { keepEdges } from './kept-edges.ts'
import { leavesIn, pinnedTable, stray } from './table.ts'

interface Walk {
  /**
   * The same machine with the actions that need a parent or children emptied: traversal runs no effects and has
   * neither.
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
  /**
   * Steps after which the real machine stood elsewhere than its table says or, where none is kept of it, than the
   * model.
   */
  strayed: string[]
}

/**
 * Walks the machine edge by edge: for each state of the model and each event, the shortest path to the state and then
 * the event are played to a real actor under a real parent, with a clock that stands still. Where the machine has a
 * table (tests/machines/tables), that says where each step has to lead.
 */
export function walkEdges(machine: AnyStateMachine, { model, input, events, name }: Walk): Walked {
  const traversal = { input, events, serializeState: name, limit: 20_000, filterEvents: isPossible }
  const paths = new Map(getShortestPaths(model, traversal).map((path) => [name(path.state), path.steps]))
  const edges = declaredEdges(machine)
  const table = pinnedTable(machine.id)
  const covered = new Set<string>()
  const strayed = new Set<string>()
  for (const { state, event, nextState } of adjacencyMapToArray(getAdjacencyMap(model, traversal))) {
    const steps = (paths.get(name(state)) ?? []).map((step) => step.event).filter(({ type }) => type !== 'xstate.init')
    const reached = play(machine, { input, steps, event, begins: table?.begins ?? [] }, (taken, before, after) => {
      for (const edge of taken) covered.add(edge)
      if (table !== null) for (const words of stray(table, taken, before, after)) strayed.add(words)
    })
    if (table === null && reached !== JSON.stringify(nextState.value))
      strayed.add(`${name(state)}: ${event.type} → ${reached}`)
  }
  keepEdges(machine.id, [...covered])
  return { declared: [...edges.values()].toSorted(), covered: [...covered].toSorted(), strayed: [...strayed] }
}

/**
 * Nothing happens to a machine that is done. Only an actor that runs can be done or fail; an error that nobody waits
 * for would end the machine.
 */
function isPossible({ children, status }: AnyMachineSnapshot, { type }: AnyEventObject): boolean {
  if (status !== 'active') return false
  const actor = /^xstate\.(?:done|error)\.actor\.(.+)$/.exec(type)?.[1]
  return actor === undefined || Object.hasOwn(children, actor)
}

interface Play {
  input: unknown
  /** What leads to where the event is played. */
  steps: readonly AnyEventObject[]
  event: AnyEventObject
  begins: readonly string[]
}

/** Where an event led, told step by step; with no steps before it, from the start on. */
function play(
  machine: AnyStateMachine,
  { input, steps, event, begins }: Play,
  took: (edges: readonly string[], before: readonly string[], after: readonly string[]) => void,
): string {
  let before: readonly string[] | null = steps.length === 0 ? begins : null
  const parent = createActor(createMachine({ invoke: { id: 'subject', src: machine, input: () => input } }), {
    clock: new SimulatedClock(),
    inspect: (inspection) => {
      const step = before !== null && inspection.type === '@xstate.microstep' ? takenEdges(inspection) : null
      if (before === null || step?.snapshot.machine !== machine) return
      const after = leavesIn(step.snapshot)
      took(step.edges, before, after)
      before = after
    },
  })
  parent.start()
  const subject: AnyActorRef | undefined = parent.getSnapshot().children['subject']
  for (const one of steps) subject?.send(one)
  before ??= leavesIn(subject?.getSnapshot())
  subject?.send(event)
  const value = JSON.stringify(subject?.getSnapshot().value)
  before = null
  parent.stop()
  return value
}
