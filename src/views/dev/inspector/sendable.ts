import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { chartOf } from '../chart/chart-model.ts'
import { declaredEdges } from '../edges.ts'
import { plainEvent, type Plain } from '../record/plain.ts'
import type { ActorRecord, RecordedEvent } from '../record/recorder.ts'
import { lastEventOf } from '../record/session.ts'

export interface Sendable {
  type: string
  /** The payload of the last such event, without secrets; or else the fields that guards and actions read. */
  example: Readonly<Record<string, Plain>>
  can: boolean
}

/** The events that can be sent to a machine, with an example, and whether the machine would accept it now. */
export function sendables(
  record: ActorRecord,
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  recordedEvents: readonly RecordedEvent[],
): Sendable[] {
  const types = new Set(chartOf(machine).edges.flatMap(({ sent }) => (sent === null ? [] : [sent])))
  return [...types].toSorted().map((type) => {
    const last = lastEventOf(type, record, recordedEvents)
    const example =
      last === null
        ? fieldsRead(machine, type)
        : Object.fromEntries(Object.entries(plainEvent(last)).filter(([key]) => key !== 'type'))
    return { type, example, can: canSend(snapshot, { ...(last ?? example), type }) }
  })
}

/** Whether a machine would accept the event; false if a guard throws, for lack of a payload. */
export function canSend(snapshot: AnyMachineSnapshot, event: { type: string }): boolean {
  try {
    return snapshot.status === 'active' && snapshot.can(event)
  } catch {
    return false
  }
}

/** The fields of an event that its transitions read in the parameters of guards and actions. */
export function fieldsRead(machine: AnyStateMachine, type: string): Record<string, null> {
  const read = new Set<string>()
  const event = new Proxy(
    { type },
    {
      get: (target, key) => {
        if (key === 'type') return target.type
        if (typeof key === 'string') read.add(key)
        return undefined
      },
      ownKeys: () => ['type'],
    },
  )
  for (const { eventType, guard, actions } of declaredEdges(machine).keys()) {
    if (eventType !== type) continue
    for (const implementation of [guard, ...actions])
      for (const reader of readersOf(implementation)) attempt(reader, event)
  }
  return Object.fromEntries([...read].map((field) => [field, null]))
}

type Reader = (args: { event: object; context: object }) => unknown
const isReader = (value: unknown): value is Reader => typeof value === 'function'

/** The functions that compute parameters, context or another event from an event. */
function readersOf(implementation: unknown): Reader[] {
  if (implementation === null || (typeof implementation !== 'object' && typeof implementation !== 'function')) return []
  const own = typeof implementation === 'function' && !('type' in implementation) ? [implementation] : []
  const params = 'params' in implementation ? [implementation.params] : []
  const assignment =
    'assignment' in implementation && typeof implementation.assignment === 'object'
      ? Object.values(implementation.assignment ?? {})
      : []
  const expressions = ['assignment', 'eventOrExpr', 'event'].flatMap((name) =>
    name in implementation ? [Reflect.get(implementation, name)] : [],
  )
  return [...own, ...params, ...assignment, ...expressions].filter(isReader)
}

function attempt(reader: Reader, event: object): void {
  try {
    reader({ event, context: new Proxy({}, { get: () => undefined }) })
  } catch {
    /* It read a field of an undefined field; the outer one is recorded. */
  }
}

export const sendTo = (ref: AnyActorRef, type: string, payload: Record<string, unknown>): void =>
  ref.send({ ...payload, type })
