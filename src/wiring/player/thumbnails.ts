import { lazy } from 'react'
import { fromCallback, fromPromise } from 'xstate'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { thumbnailsMachine } from '../../machines/timeline/thumbnails.machine.ts'

const key = 'player-thumbnails'

const load = () => import('./stills.ts')

/** The view of the strip. */
export const Strip = lazy(load)

export const thumbnails = thumbnailsMachine.provide({
  actors: {
    fetchStills: fromPromise(async ({ input, signal }) => {
      const { fetchStills } = await load()
      await fetchStills(input, signal)
      return undefined
    }),
    holdStills: fromCallback(() => () => {
      load()
        .then(({ clearStills }) => clearStills())
        .catch(() => undefined)
    }),
  },
  guards: { isStoredOn: () => readStored('local', key) === true },
  actions: { storeSetting: (_, { isOn }) => writeStored('local', key, isOn) },
})
