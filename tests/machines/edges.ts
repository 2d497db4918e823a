import {
  createActor,
  createMachine,
  getInitialSnapshot,
  SimulatedClock,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph'
import { declaredEdges, takenEdges } from '../../src/views/dev/edges.ts'
import { keepEdges } from './kept-edges.ts'
import { leavesIn, pinnedTable, stray } from './table.ts'

interface Walk {
  /** The machine without the actions that need a parent or children, as traversal has neither. */
  model: AnyStateMachine
  input?: unknown
  /** One fixture or more of every event, also of `xstate.done…`, `xstate.error…` and `xstate.after…`. */
  events: readonly AnyEventObject[]
  /** Names a state of the model: its value and the context that guards read. */
  name: (snapshot: AnyMachineSnapshot) => string
}

interface Walked {
  declared: string[]
  covered: string[]
  /** Steps after which the real machine was in another state than its table says, or the model if there is no table. */
  strayed: string[]
}

/**
 * Walks every edge of a machine: each event is sent once in each state of the model, to a real actor with a real parent
 * and a stopped clock. An actor gets to a state by the shortest path and goes on from there while events are left; if
 * this misses an edge, each event gets its own actor. If the machine has a table (tests/machines/tables), each step
 * must lead where the table says.
 */
export function walkEdges(machine: AnyStateMachine, { model, input, events, name }: Walk): Walked {
  const traversal = { input, events, serializeState: name, limit: 20_000, filterEvents: isPossible }
  const edges = declaredEdges(machine)
  const table = pinnedTable(machine.id)
  const covered = new Set<string>()
  const strayed = new Set<string>()
  const graph = Map.groupBy(adjacencyMapToArray(getAdjacencyMap(model, traversal)), ({ state }) => name(state))
  const paths = minPaths(graph, name(getInitialSnapshot(model, input)), name)
  const walk = (goesOn: boolean) => {
    const left = new Map([...graph].map(([state, jobs]) => [state, [...jobs]]))
    for (const [state, jobs] of left) {
      while (jobs.length > 0) {
        const steps = paths.get(state) ?? []
        const actor = play(machine, { input, steps, begins: table?.begins ?? [] }, (taken, before, after) => {
          for (const edge of taken) covered.add(edge)
          if (table !== null) for (const words of stray(table, taken, before, after)) strayed.add(words)
        })
        let here: string | null = state
        while (here !== null) {
          const job: Step | undefined = left.get(here)?.pop()
          if (job === undefined) break
          const reached = actor.send(job.event)
          const [value, expected] = [reached?.value, job.nextState.value].map((each) => JSON.stringify(each))
          if (table === null && value !== expected) strayed.add(`${here}: ${job.event.type} → ${value}`)
          const next = name(job.nextState)
          here = goesOn && reached?.status === 'active' && name(reached) === next ? next : null
        }
        actor.stop()
      }
    }
  }
  walk(true)
  // Names contain only a part of the context, and the rest may have changed on the way.
  if (covered.size < edges.size || strayed.size > 0) {
    strayed.clear()
    walk(false)
  }
  keepEdges(machine.id, [...covered])
  return { declared: [...edges.values()].toSorted(), covered: [...covered].toSorted(), strayed: [...strayed] }
}

type Step = { event: AnyEventObject; nextState: AnyMachineSnapshot }

/** The shortest path of events from the first state to every other one. */
function minPaths(
  graph: ReadonlyMap<string, readonly Step[]>,
  first: string,
  name: Walk['name'],
): Map<string, AnyEventObject[]> {
  const paths = new Map<string, AnyEventObject[]>([[first, []]])
  for (const [state, path] of paths) {
    for (const { event, nextState } of graph.get(state) ?? []) {
      const next = name(nextState)
      if (!paths.has(next)) paths.set(next, [...path, event])
    }
  }
  return paths
}

/**
 * False for a machine that is done, and for the result of an actor that doesn't run: such an error would end the
 * machine.
 */
function isPossible({ children, status }: AnyMachineSnapshot, { type }: AnyEventObject): boolean {
  if (status !== 'active') return false
  const actor = /^xstate\.(?:done|error)\.actor\.(.+)$/.exec(type)?.[1]
  return actor === undefined || Object.hasOwn(children, actor)
}

interface Play {
  input: unknown
  /** The events that lead to the state where the test begins. */
  steps: readonly AnyEventObject[]
  begins: readonly string[]
}

interface Played {
  /** The snapshot after an event; undefined after the machine has stopped. */
  send: (event: AnyEventObject) => AnyMachineSnapshot | undefined
  stop: () => void
}

/** An actor after the given steps; reports each further step. */
function play(
  machine: AnyStateMachine,
  { input, steps, begins }: Play,
  took: (edges: readonly string[], before: readonly string[], after: readonly string[]) => void,
): Played {
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
  return {
    send: (event) => {
      subject?.send(event)
      return subject?.getSnapshot()
    },
    stop: () => {
      before = null
      parent.stop()
    },
  }
}
