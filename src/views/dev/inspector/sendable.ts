import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { chartOf } from '../chart/chart-model.ts'
import { declaredEdges } from '../edges.ts'
import { plainEvent, type Plain } from '../record/plain.ts'
import type { ActorRecord, RecordedEvent } from '../record/recorder.ts'
import { lastSeen } from '../record/session.ts'

export interface Sendable {
  type: string
  /** What its payload was when it was last seen, without secrets; else the fields that the chart reads of it. */
  example: Readonly<Record<string, Plain>>
  can: boolean
}

/** The events that views may send to a machine, each with an example, and whether it would do something now. */
export function sendables(
  record: ActorRecord,
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  recordedEvents: readonly RecordedEvent[],
): Sendable[] {
  const types = new Set(chartOf(machine).edges.flatMap(({ sent }) => (sent === null ? [] : [sent])))
  return [...types].toSorted().map((type) => {
    const seen = lastSeen(type, record, recordedEvents)
    const example =
      seen === null
        ? fieldsRead(machine, type)
        : Object.fromEntries(Object.entries(plainEvent(seen)).filter(([key]) => key !== 'type'))
    return { type, example, can: canSend(snapshot, { ...(seen ?? example), type }) }
  })
}

/** Whether a machine would take the event; one whose guards can't judge its payload it wouldn't. */
export function canSend(snapshot: AnyMachineSnapshot, event: { type: string }): boolean {
  try {
    return snapshot.status === 'active' && snapshot.can(event)
  } catch {
    return false
  }
}

/** The fields of an event that the transitions of it name in the parameters of their guards and actions. */
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

/** The functions that make parameters, a context or an event out of an event. */
function readersOf(implementation: unknown): Reader[] {
  if (implementation === null || (typeof implementation !== 'object' && typeof implementation !== 'function')) return []
  const own = typeof implementation === 'function' && !('type' in implementation) ? [implementation] : []
  const params = 'params' in implementation ? [implementation.params] : []
  const assignment =
    'assignment' in implementation && typeof implementation.assignment === 'object'
      ? Object.values(implementation.assignment ?? {})
      : []
  const made = ['assignment', 'eventOrExpr', 'event'].flatMap((name) =>
    name in implementation ? [Reflect.get(implementation, name)] : [],
  )
  return [...own, ...params, ...assignment, ...made].filter(isReader)
}

function attempt(reader: Reader, event: object): void {
  try {
    reader({ event, context: new Proxy({}, { get: () => undefined }) })
  } catch {
    /* It looked further into a field that has nothing in it; the field is known all the same. */
  }
}

export const sendTo = (ref: AnyActorRef, type: string, payload: Record<string, unknown>): void =>
  ref.send({ ...payload, type })
