import { isMachineSnapshot, type AnyMachineSnapshot } from 'xstate'
import { isGeneratedId } from '../record/session.ts'
import type { ActorRecord, Entry } from '../record/recorder.ts'

/** The name of an actor: its id, or that of its machine if XState generated the id. */
export const nameOf = ({ ref, machine }: ActorRecord): string =>
  isGeneratedId(ref.id) && machine !== null ? machine.id : ref.id

export interface TreeItem {
  record: ActorRecord
  level: number
  state: string | null
  isStopped: boolean
}

/** The tree of actors; stopped ones only if selected, or with `withEnded`. */
export function treeOf(
  records: readonly ActorRecord[],
  { withEnded, chosen }: { withEnded: boolean; chosen: ActorRecord | undefined },
): TreeItem[] {
  const byParent = Map.groupBy(records, ({ parent }) => parent)
  const below = (parent: ActorRecord | null, level: number): TreeItem[] =>
    (byParent.get(parent) ?? []).flatMap((record) => {
      const item = itemOf(record, level)
      const inner = below(record, level + 1)
      return item.isStopped && !withEnded && record !== chosen && inner.length === 0 ? [] : [item, ...inner]
    })
  return below(null, 1)
}

function itemOf(record: ActorRecord, level: number): TreeItem {
  const snapshot: unknown = record.ref.getSnapshot()
  const state = isMachineSnapshot(snapshot) ? shortText(snapshot.value) : null
  return { record, level, state, isStopped: record.hasEnded || record.ref.getSnapshot().status !== 'active' }
}

function shortText(value: AnyMachineSnapshot['value']): string {
  if (typeof value === 'string') return value
  return Object.entries(value)
    .map(([key, inner]) => (inner === undefined ? key : [key, shortText(inner)].filter(Boolean).join('.')))
    .join(', ')
}

export interface Moment {
  snapshot: AnyMachineSnapshot | null
  /** The edges that led to the snapshot. */
  edges: readonly string[]
  /** The `seq` of the entry with these edges; -1 without one. */
  step: number
}

/** What an actor was after the entry `seq`, or is now (null); without a snapshot before the first recorded one. */
export function momentOf(record: ActorRecord, entries: readonly Entry[], seq: number | null): Moment {
  const last = entries.findLast(
    (entry) => entry.actor === record && entry.snapshot !== null && (seq === null || entry.seq <= seq),
  )
  const snapshot: unknown = seq === null ? record.ref.getSnapshot() : last?.snapshot
  return { snapshot: isMachineSnapshot(snapshot) ? snapshot : null, edges: last?.edges ?? none, step: last?.seq ?? -1 }
}

const none: readonly string[] = []
