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

/** Choosing all streams that the list is of, those that it has not had yet too. */
export interface ChoosingAll {
  /** Null where it isn't known. */
  readonly count: number | null
  readonly isPossible: boolean
  readonly areAllChosen: boolean
  chooseAll: () => void
}

export function useChooseAll(actor: StreamsRef, isAdmin: boolean): ChoosingAll {
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
      bulk?.send({ type: 'choice.allRequested', found: { query, listing }, isAdmin })
  }
  return { ...state, chooseAll }
}
