import {
  Actor,
  StateMachine,
  isMachineSnapshot,
  type ActorRefLike,
  type AnyActorLogic,
  type AnyEventObject,
  type AnyStateMachine,
  type InspectionEvent,
  type Snapshot,
  type StateValue,
} from 'xstate'
import { takenEdges } from '../edges.ts'
import { Ring } from './ring.ts'

type AnyActor = Actor<AnyActorLogic>

export interface ActorRecord {
  /** Unique across systems, unlike XState's session ids. */
  key: string
  ref: AnyActor
  machine: AnyStateMachine | null
  parent: ActorRecord | null
  input: unknown
  /** The number of its first event; null for an actor that was already running when recording started. */
  begin: number | null
  hasEnded: boolean
}

/** An event that an actor received and, for a machine, the state after it. */
export interface RecordedEvent {
  seq: number
  at: number
  actor: ActorRecord
  /** Null for an event from a view. */
  source: ActorRecord | null
  event: AnyEventObject
  /** Null until the event is processed, and for actors that aren't machines. */
  value: StateValue | null
}

/** A recent event, with the snapshot after it (by reference) and the edges that were taken. */
export interface Entry extends RecordedEvent {
  snapshot: Snapshot<unknown> | null
  edges: readonly string[]
}

interface Options {
  now: () => number
  entries: number
  /** How many events are kept for replay. */
  recordedEvents: number
}

interface Running {
  record: ActorRecord
  /** Received events that aren't processed yet, the oldest first. */
  waiting: Entry[]
  walked: string[]
}

const maxEnded = 200

/** Records what XState's inspection reports: the actors, a log of recent events, and a longer tape for replay. */
export class Recorder {
  readonly log: Ring<Entry>
  readonly tape: Ring<RecordedEvent>
  private readonly now: () => number
  private readonly running = new Map<AnyActor, Running>()
  private readonly listeners = new Set<() => void>()
  private actors = 0

  constructor({ now, entries, recordedEvents }: Options) {
    this.now = now
    this.log = new Ring(entries)
    this.tape = new Ring(recordedEvents)
  }

  /** Records an inspection event; has to be fast, as it runs inside every transition. */
  readonly observe = (inspection: InspectionEvent): void => {
    const running = this.find(inspection.actorRef)
    if (running === null) return
    switch (inspection.type) {
      case '@xstate.actor':
        running.record.begin = this.tape.count
        break
      case '@xstate.event':
        this.addEvent(running, inspection.event, inspection.sourceRef)
        break
      case '@xstate.microstep':
        running.walked.push(...(takenEdges(inspection)?.edges ?? []))
        return
      case '@xstate.snapshot':
        this.settle(running, inspection.event, inspection.snapshot)
        break
      default:
        return
    }
    for (const listener of this.listeners) listener()
  }

  adopt(actor: AnyActor): void {
    this.find(actor)
    const snapshot: unknown = actor.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    for (const child of Object.values(snapshot.children)) if (child instanceof Actor) this.adopt(child)
  }

  records(): ActorRecord[] {
    return [...this.running.values()].map(({ record }) => record)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private find(ref: ActorRefLike): Running | null {
    if (!(ref instanceof Actor)) return null
    const known = this.running.get(ref)
    if (known !== undefined) return known
    this.forgetEnded()
    this.actors += 1
    const parent = ref._parent === undefined ? null : (this.find(ref._parent)?.record ?? null)
    const machine = ref.logic instanceof StateMachine ? ref.logic : null
    const running: Running = {
      record: { key: `a${this.actors}`, ref, machine, parent, input: undefined, begin: null, hasEnded: false },
      waiting: [],
      walked: [],
    }
    this.running.set(ref, running)
    return running
  }

  private addEvent(running: Running, event: AnyEventObject, sourceRef: ActorRefLike | undefined): void {
    const { record, waiting } = running
    if (event.type.startsWith('xstate.promise.')) return
    if (event.type === 'xstate.init') {
      record.input = event['input']
      record.begin ??= this.tape.count
    }
    const source = sourceRef === undefined ? null : (this.find(sourceRef)?.record ?? null)
    const entry: Entry = {
      seq: this.tape.count,
      at: this.now(),
      actor: record,
      source,
      event,
      value: null,
      snapshot: null,
      edges: [],
    }
    this.tape.push({ seq: entry.seq, at: entry.at, actor: record, source, event, value: null })
    this.log.push(entry)
    if (record.machine !== null) waiting.push(entry)
  }

  private settle(running: Running, event: AnyEventObject, snapshot: Snapshot<unknown>): void {
    running.record.hasEnded = snapshot.status !== 'active'
    const index = running.waiting.findIndex((entry) => entry.event === event)
    const [entry] = index === -1 ? [] : running.waiting.splice(0, index + 1).slice(-1)
    if (entry === undefined) return
    entry.snapshot = snapshot
    entry.edges = running.walked
    running.walked = []
    if (!isMachineSnapshot(snapshot)) return
    entry.value = snapshot.value
    const recorded = this.tape.at(entry.seq)
    if (recorded !== undefined) recorded.value = snapshot.value
  }

  /** The oldest of the ended actors are dropped. */
  private forgetEnded(): void {
    if (this.running.size < 2 * maxEnded) return
    const ended = [...this.running].filter(([, { record }]) => record.hasEnded)
    for (const [actor] of ended.slice(0, -maxEnded / 2)) this.running.delete(actor)
  }
}
