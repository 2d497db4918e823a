import { useMemo } from 'react'
import { useSelector } from '@xstate/react'
import { areAllChosen, choosableCount, hasChoosable } from '../../machines/streams/choosable.ts'
import { queryOf } from '../../machines/streams/preferences.ts'
import {
  type StreamsRef,
  selectBulk,
  selectChosenIn,
  selectIsOutdated,
  selectListing,
  selectView,
} from '../../machines/streams/streams.selectors.ts'

/** Selects all streams of the list, including those not loaded yet. */
export interface ChooseAll {
  /** How many streams that selects; null if unknown. */
  readonly count: number | null
  readonly isPossible: boolean
  readonly areAllChosen: boolean
  chooseAll: () => void
}

export function useChooseAll(actor: StreamsRef, isAdmin: boolean): ChooseAll {
  const bulk = useSelector(actor, selectBulk)
  const listing = useSelector(actor, selectListing)
  const isOutdated = useSelector(actor, selectIsOutdated)
  const query = queryOf(useSelector(actor, selectView))
  const chosen = useSelector(bulk, selectChosenIn)
  const state = useMemo(
    () =>
      listing === null || isOutdated
        ? { count: null, isPossible: false, areAllChosen: false }
        : {
            count: choosableCount(listing, isAdmin),
            isPossible: hasChoosable(listing, isAdmin),
            areAllChosen: areAllChosen(listing, chosen, isAdmin),
          },
    [listing, isOutdated, chosen, isAdmin],
  )
  const chooseAll = () => {
    if (listing !== null && state.isPossible)
      bulk?.send({ type: 'choice.allRequested', gathering: { query, listing }, isAdmin })
  }
  return { ...state, chooseAll }
}
