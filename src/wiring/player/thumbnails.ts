import { fromCallback, fromPromise } from 'xstate'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { thumbnailsMachine } from '../../machines/timeline/thumbnails.machine.ts'
import { deferred } from '../../views/ui/deferred.ts'

const key = 'player-thumbnails'

/** The strip and its pictures. */
export const stills = deferred(() => import('./stills.ts'))

export const thumbnails = thumbnailsMachine.provide({
  actors: {
    fetchStills: fromPromise(async ({ input, signal }) => {
      const { fetchStills } = await stills.load()
      await fetchStills(input, signal)
      return undefined
    }),
    holdStills: fromCallback(() => () => {
      stills
        .load()
        .then(({ clearStills }) => clearStills())
        .catch(() => undefined)
    }),
  },
  guards: { isStoredOn: () => readStored('local', key) === true },
  actions: { storeSetting: (_, { isOn }) => writeStored('local', key, isOn) },
})
