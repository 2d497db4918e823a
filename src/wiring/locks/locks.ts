import { fromPromise } from 'xstate'
import { addLock, getLocks, removeLock } from '../../api/resources/locks.ts'
import { lockFormMachine, locksMachine } from '../../machines/locks/locks.machine.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { visibility } from '../shared/visibility.ts'

const dayMs = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

export const locks = locksMachine.provide({
  actors: {
    form: lockFormMachine.provide({
      actors: {
        submit: fromPromise(({ input: { values }, signal }) => {
          const { uid, from, to, reason, days } = values
          const expiry = days === '' ? {} : { expireTime: iso(Date.now() + Number(days) * dayMs) }
          return addLock(uid, { startTime: iso(from), endTime: iso(to), reason: reason.trim(), ...expiry }, signal)
        }),
        watchLeaving,
      },
    }),
    fetchLocks: fromPromise(({ input, signal }) => getLocks(input.uid, signal)),
    removeLock: fromPromise(({ input, signal }) => removeLock(input.uid, input.id, signal)),
    visibility,
  },
})
