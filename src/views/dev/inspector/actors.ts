import { isMachineSnapshot, type AnyMachineSnapshot } from 'xstate'
import { isCounted } from '../record/session.ts'
import type { ActorRecord, Entry } from '../record/recorder.ts'

/** What an actor is called: its id, or for one that has none its machine's. */
export const nameOf = ({ ref, machine }: ActorRecord): string =>
  isCounted(ref.id) && machine !== null ? machine.id : ref.id

export interface TreeItem {
  record: ActorRecord
  level: number
  state: string | null
  isOver: boolean
}

/** Of the actors that are over only the chosen one, unless all are asked for. */
export function treeOf(
  records: readonly ActorRecord[],
  { withEnded, chosen }: { withEnded: boolean; chosen: ActorRecord | undefined },
): TreeItem[] {
  const byParent = Map.groupBy(records, ({ parent }) => parent)
  const below = (parent: ActorRecord | null, level: number): TreeItem[] =>
    (byParent.get(parent) ?? []).flatMap((record) => {
      const item = itemOf(record, level)
      const inner = below(record, level + 1)
      return item.isOver && !withEnded && record !== chosen && inner.length === 0 ? [] : [item, ...inner]
    })
  return below(null, 1)
}

function itemOf(record: ActorRecord, level: number): TreeItem {
  const snapshot: unknown = record.ref.getSnapshot()
  const state = isMachineSnapshot(snapshot) ? shortly(snapshot.value) : null
  return { record, level, state, isOver: record.hasEnded || record.ref.getSnapshot().status !== 'active' }
}

function shortly(value: AnyMachineSnapshot['value']): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([key, inner]) => (inner === undefined ? key : [key, shortly(inner)].filter(Boolean).join('.')))
    .join(', ')
}

export interface Moment {
  snapshot: AnyMachineSnapshot | null
  edges: readonly string[]
  step: number
}

/** As of the entry numbered `at`, or now. Before the first thing that is known of it there is no snapshot. */
export function momentOf(record: ActorRecord, entries: readonly Entry[], at: number | null): Moment {
  const last = entries.findLast(
    ({ actor, seq, snapshot }) => actor === record && snapshot !== null && (at === null || seq <= at),
  )
  const snapshot: unknown = at === null ? record.ref.getSnapshot() : last?.snapshot
  return { snapshot: isMachineSnapshot(snapshot) ? snapshot : null, edges: last?.edges ?? none, step: last?.seq ?? -1 }
}

const none: readonly string[] = []
