import type { AnyEventObject, StateValue } from 'xstate'
import { plain, plainEvent, type Plain } from './plain.ts'
import type { ActorRecord, RecordedEvent, Recorder } from './recorder.ts'

export interface SessionStep {
  /** Which actor was sent it: the ids from the first machine down, with dots; empty for that machine itself. */
  to: string
  event: ReturnType<typeof plainEvent>
  /** The state that the event left each machine in which took part, by the same paths. */
  states: Readonly<Record<string, StateValue>>
}

/** What somebody did to a machine and what came of it, to be replayed (`npm run replay`, tests/sessions). */
export interface Session {
  version: 1
  machine: string
  /** Who invokes a child and as what, as ids of machines made by one factory are alike. */
  parent: { machine: string; src: string } | null
  input: Plain
  steps: readonly SessionStep[]
}

/**
 * The session of a machine and of all the machines below it: what came to them from outside, from views, promises,
 * callbacks and timers. What they send each other they will send each other again. Null where its beginning is no
 * longer kept.
 */
export function sessionOf(root: ActorRecord, { tape }: Pick<Recorder, 'tape'>): Session | null {
  const { machine, parent, begin, ref, input } = root
  if (machine === null || begin === null || whyNoSession(root, { tape }) !== null) return null
  const steps: (Omit<SessionStep, 'states'> & { states: Record<string, StateValue> })[] = []
  for (const recorded of tape.items()) {
    const to = pathOf(recorded.actor, root)
    if (to === null || recorded.actor.machine === null || recorded.seq < begin) continue
    if (isFromOutside(recorded, root)) steps.push({ to, event: plainEvent(recorded.event), states: {} })
    const step = steps.at(-1)
    if (step !== undefined && recorded.value !== null && recorded.event.type !== 'xstate.init')
      step.states[to] = recorded.value
  }
  const invoker =
    parent?.machine == null ? null : { machine: parent.machine.id, src: typeof ref.src === 'string' ? ref.src : '' }
  return { version: 1, machine: machine.id, parent: invoker, input: plain(input), steps }
}

export function whyNoSession({ machine, begin }: ActorRecord, { tape }: Pick<Recorder, 'tape'>): string | null {
  if (machine === null) return 'Only a machine has a session'
  return begin === null || begin < tape.count - tape.size ? 'The beginning of its session is no longer kept' : null
}

/** A child's id that nobody gave is counted by its system; it is called `*`, the newest such child. */
export const isCounted = (id: string): boolean => /^x:\d+$/.test(id)

function pathOf(actor: ActorRecord, root: ActorRecord): string | null {
  if (actor === root) return ''
  if (actor.parent === null) return null
  const above = pathOf(actor.parent, root)
  if (above === null) return null
  const name = isCounted(actor.ref.id) ? '*' : actor.ref.id
  return above === '' ? name : `${above}.${name}`
}

/** An actor that sends to itself is its clock. */
function isFromOutside({ actor, source, event }: RecordedEvent, root: ActorRecord): boolean {
  if (event.type === 'xstate.init') return false
  return source === null || source === actor || source.machine === null || pathOf(source, root) === null
}

/** The events of a machine as they were last seen, to send again. */
export function lastSeen(
  type: string,
  actor: ActorRecord,
  recordedEvents: readonly RecordedEvent[],
): AnyEventObject | null {
  return (
    recordedEvents.findLast(
      (recorded) => recorded.event.type === type && recorded.actor.machine?.id === actor.machine?.id,
    )?.event ?? null
  )
}
