import { fromPromise } from 'xstate'
import { lockEach } from '../../machines/locks/lock-each.ts'
import { mosaicLockFormMachine, mosaicLockMachine } from '../../machines/locks/mosaic-lock.machine.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { lockRange } from './lock-range.ts'

export const mosaicLock = mosaicLockMachine.provide({
  actors: {
    form: mosaicLockFormMachine.provide({
      actors: {
        submit: fromPromise(({ input: { values }, signal }) => {
          const { uids, ...terms } = values
          return lockEach(uids, (uid) => lockRange({ uid, ...terms }, signal))
        }),
        watchLeaving,
      },
    }),
  },
})
