import { fromPromise } from 'xstate'
import { getLocks, removeLock } from '../../api/resources/locks.ts'
import { lockFormMachine, locksMachine } from '../../machines/locks/locks.machine.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { visibility } from '../shared/visibility.ts'
import { lockRange } from './lock-range.ts'

export const locks = locksMachine.provide({
  actors: {
    form: lockFormMachine.provide({
      actors: {
        submit: fromPromise(({ input: { values }, signal }) => lockRange(values, signal)),
        watchLeaving,
      },
    }),
    fetchLocks: fromPromise(({ input, signal }) => getLocks(input.uid, signal)),
    removeLock: fromPromise(({ input, signal }) => removeLock(input.uid, input.id, signal)),
    visibility,
  },
})
