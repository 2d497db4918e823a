import { useCallback, useRef } from 'react'
import { useSelector } from '@xstate/react'
import type { SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { bulkMachine, BulkOutcome } from '../../machines/streams/bulk.machine.ts'
import type { Layout } from '../../machines/streams/layout.ts'
import { type BulkRef, selectChosen, selectIsWorking, selectOutcomes } from '../../machines/streams/streams.selectors.ts'
import type { Shown } from './Outcome.tsx'

type Snapshot = SnapshotFrom<typeof bulkMachine> | undefined

const noStreams: ReadonlyMap<string, Stream> = new Map()
const noOutcomes: ReadonlyMap<string, BulkOutcome> = new Map()
const chosenOf = (snapshot: Snapshot): ReadonlyMap<string, Stream> => (snapshot === undefined ? noStreams : selectChosen(snapshot))
const outcomesOf = (snapshot: Snapshot): ReadonlyMap<string, BulkOutcome> => (snapshot === undefined ? noOutcomes : selectOutcomes(snapshot))
const isWorkingOf = (snapshot: Snapshot): boolean => snapshot !== undefined && selectIsWorking(snapshot)

/** Which entries are chosen, and choosing them. */
export interface Choice {
  readonly count: number
  readonly isLocked: boolean
  mayChoose: (stream: Stream) => boolean
  isChosen: (uid: string) => boolean
  outcomeOf: (uid: string) => Shown
  /** Chooses an entry or leaves it; a range reaches from the entry chosen last. */
  onChoose: (entry: number, isRange: boolean) => void
  onClear: () => void
}

export function useChoice(bulk: BulkRef | undefined, layout: Layout, isAdmin: boolean): Choice {
  const chosen = useSelector(bulk, chosenOf)
  const outcomes = useSelector(bulk, outcomesOf)
  const isLocked = useSelector(bulk, isWorkingOf)
  const last = useRef<{ entry: number; uid: string } | null>(null)
  const onChoose = useCallback(
    (entry: number, isRange: boolean) => {
      const streamAt = (at: number) => {
        const stream = layout.entryAt(at)?.stream
        return stream !== undefined && (isAdmin || stream.meta.canAdmin) ? [stream] : []
      }
      const uidAt = (at: number) => layout.entryAt(at)?.stream?.uid ?? ''
      /** Another search, or another order, leaves nothing to reach from. */
      const from = isRange && last.current !== null && uidAt(last.current.entry) === last.current.uid ? last.current.entry : entry
      last.current = { entry, uid: uidAt(entry) }
      const [first, count] = [Math.min(from, entry), Math.abs(from - entry) + 1]
      if (isRange) bulk?.send({ type: 'choice.extended', streams: Array.from({ length: count }, (_, index) => streamAt(first + index)).flat() })
      else for (const stream of streamAt(entry)) bulk?.send({ type: 'choice.toggled', stream })
    },
    [bulk, isAdmin, layout],
  )
  return {
    count: chosen.size,
    isLocked,
    mayChoose: ({ meta }) => isAdmin || meta.canAdmin,
    isChosen: (uid) => chosen.has(uid),
    outcomeOf: (uid) => outcomes.get(uid) ?? (isLocked && chosen.has(uid) ? 'open' : undefined),
    onChoose,
    onClear: () => bulk?.send({ type: 'choice.cleared' }),
  }
}
