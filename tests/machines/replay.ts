import {
  Actor,
  createActor,
  createMachine,
  fromCallback,
  isMachineSnapshot,
  SimulatedClock,
  StateMachine,
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
} from 'xstate'
import { machines } from '../../scripts/machines.ts'
import { revive } from '../../src/views/dev/record/plain.ts'
import { isGeneratedId, type Session, type SessionStep } from '../../src/views/dev/record/session.ts'

/** The machine of a session; several with the same id are told apart by their parent. */
function machineOf({ machine: id, parent }: Pick<Session, 'machine' | 'parent'>): AnyStateMachine {
  const invoked = machines
    .filter(({ machine }) => machine.id === parent?.machine)
    .map(({ machine }) => machine.implementations.actors[parent?.src ?? ''])
  const found = [...invoked, ...machines.map(({ machine }) => machine)].find(
    (one): one is AnyStateMachine => one instanceof StateMachine && one.id === id,
  )
  if (found === undefined) throw new Error(`There is no machine '${id}'`)
  return found
}

/** The machine with only machines below it: the session sends what other actors would send. */
function isolated(machine: AnyStateMachine): AnyStateMachine {
  const actors = Object.entries(machine.implementations.actors).map(([name, logic]) => [
    name,
    logic instanceof StateMachine ? isolated(logic) : fromCallback(() => undefined),
  ])
  return machine.provide({ actors: Object.fromEntries(actors) })
}

/**
 * Sends a session's events to its machine, on a stopped clock; returns the steps with the states that they lead to now.
 */
export function replay(session: Session): SessionStep[] {
  const by = {
    machine: (id: string) => isolated(machineOf({ machine: id, parent: null })),
    actor: () => createActor(fromCallback(() => undefined)),
  }
  const subject = isolated(machineOf(session))
  const input = revive(session.input, by)
  // A recorded root runs as the root, so that generated ids of its children are the same; any other machine gets a
  // parent that ignores its events.
  const logic =
    session.parent === null
      ? subject
      : createMachine({ invoke: { id: 'subject', src: subject, input: () => input, onError: {} } })
  const first = createActor(logic, { clock: new SimulatedClock(), input, systemId: session.machine })
  first.subscribe({ error: () => undefined })
  first.start()
  const root: AnyActorRef | undefined = session.parent === null ? first : first.getSnapshot().children['subject']
  const steps = session.steps.map(({ to, event, states }) => {
    find(root, to)?.send(eventOf(event, by))
    return {
      to,
      event,
      states: Object.fromEntries(Object.keys(states).map((path) => [path, stateOf(find(root, path))])),
    }
  })
  first.stop()
  return steps
}

const eventOf = (event: SessionStep['event'], by: Parameters<typeof revive>[1]): AnyEventObject => {
  const fields = Object.entries(event).map(([key, value]) => [key, revive(value, by)])
  return { ...Object.fromEntries(fields), type: event.type }
}

function find(root: AnyActorRef | undefined, path: string): AnyActorRef | undefined {
  if (root === undefined || path === '') return root
  const [name, ...rest] = path.split('.')
  const children: [string, unknown][] = Object.entries(root.getSnapshot().children ?? {})
  const child = children.findLast(([id]) => (name === '*' ? isGeneratedId(id) : id === name))?.[1]
  return child instanceof Actor ? find(child, rest.join('.')) : undefined
}

/** The value of a state, or the message of the error that stopped the machine. */
function stateOf(actor: AnyActorRef | undefined): SessionStep['states'][string] {
  if (actor === undefined) return 'gone'
  const snapshot: unknown = actor.getSnapshot()
  if (isMachineSnapshot(snapshot) && snapshot.status !== 'error') return snapshot.value
  return `died: ${typeof snapshot === 'object' && snapshot !== null && 'error' in snapshot ? String(snapshot.error) : ''}`
}
