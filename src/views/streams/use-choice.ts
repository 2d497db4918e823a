import { useCallback, useLayoutEffect, useRef } from 'react'
import { useSelector } from '@xstate/react'
import type { SnapshotFrom } from 'xstate'
import type { BulkOutcome } from '../../machines/streams/bulk.events.ts'
import type { bulkMachine } from '../../machines/streams/bulk.machine.ts'
import { queryOf } from '../../machines/streams/preferences.ts'
import { anchoredEntry } from '../../machines/streams/scroll-anchor.ts'
import type { Layout } from '../../machines/streams/layout.ts'
import {
  type StreamsRef,
  selectBulk,
  selectChosenIn,
  selectIsLocked,
  selectIsWorking,
  selectOutcomes,
} from '../../machines/streams/streams.selectors.ts'
import type { StreamOutcome } from './Outcome.tsx'
import { type ChooseAll, useChooseAll } from './use-choose-all.ts'

type Snapshot = SnapshotFrom<typeof bulkMachine> | undefined

const noOutcomes: ReadonlyMap<string, BulkOutcome> = new Map()
const outcomesOf = (snapshot: Snapshot): ReadonlyMap<string, BulkOutcome> =>
  snapshot === undefined ? noOutcomes : selectOutcomes(snapshot)
const isLockedOf = (snapshot: Snapshot): boolean => snapshot !== undefined && selectIsLocked(snapshot)
const isWorkingOf = (snapshot: Snapshot): boolean => snapshot !== undefined && selectIsWorking(snapshot)

export interface Choice {
  readonly count: number
  readonly isLocked: boolean
  readonly all: ChooseAll
  isChosen: (uid: string) => boolean
  outcomeOf: (uid: string) => StreamOutcome
  /** Toggles an entry; with `isRange`, selects all entries from the last one toggled to this one. */
  onChoose: (entry: number, isRange: boolean) => void
  onClear: () => void
}

export function useChoice(actor: StreamsRef, layout: Layout, isAdmin: boolean): Choice {
  const bulk = useSelector(actor, selectBulk)
  const all = useChooseAll(actor, isAdmin)
  const chosen = useSelector(bulk, selectChosenIn)
  const outcomes = useSelector(bulk, outcomesOf)
  const isLocked = useSelector(bulk, isLockedOf)
  const isWorking = useSelector(bulk, isWorkingOf)
  /** A ref, as `onChoose` is a prop of every row: a new page must not render the other rows again. */
  const latestLayout = useRef(layout)
  const lastToggled = useRef<{ entry: number; uid: string } | null>(null)
  useLayoutEffect(() => {
    const last = lastToggled.current
    const entry = last === null ? undefined : anchoredEntry(latestLayout.current, layout, last.entry)
    if (last !== null && entry !== undefined) lastToggled.current = { ...last, entry }
    latestLayout.current = layout
  }, [layout])
  const onChoose = useCallback(
    (entry: number, isRange: boolean) => {
      const choosableAt = (position: number) => {
        const stream = latestLayout.current.entryAt(position)?.stream
        return stream !== undefined && (isAdmin || stream.meta.canAdmin) ? [stream] : []
      }
      const uidAt = (position: number) => latestLayout.current.entryAt(position)?.stream?.uid ?? ''
      const last = lastToggled.current
      /** After another search or order, the entry toggled last is a different stream: there is no range then. */
      const from = isRange && last !== null && uidAt(last.entry) === last.uid ? last.entry : entry
      lastToggled.current = { entry, uid: uidAt(entry) }
      if (!isRange) {
        for (const stream of choosableAt(entry)) bulk?.send({ type: 'choice.toggled', stream })
        return
      }
      const [first, count] = [Math.min(from, entry), Math.abs(from - entry) + 1]
      const range = Array.from({ length: count }, (_, index) => first + index)
      bulk?.send({ type: 'choice.extended', streams: range.flatMap(choosableAt) })
      const { view, listing, isOutdated } = actor.getSnapshot().context
      const isMissing = (position: number) => {
        const found = latestLayout.current.entryAt(position)
        return found?.section.kind === 'all' && found.stream === undefined
      }
      // Pages between the two may not be loaded: only those of a list without sections.
      if (listing !== null && !isOutdated && range.some(isMissing))
        bulk?.send({
          type: 'choice.allRequested',
          gathering: { query: queryOf(view), listing, range: { first, count } },
          isAdmin,
        })
    },
    [actor, bulk, isAdmin],
  )
  return {
    count: chosen.size,
    isLocked,
    all,
    isChosen: (uid) => chosen.has(uid),
    outcomeOf: (uid) => outcomes.get(uid) ?? (isWorking && chosen.has(uid) ? 'waiting' : undefined),
    onChoose,
    onClear: () => bulk?.send({ type: 'choice.cleared' }),
  }
}
