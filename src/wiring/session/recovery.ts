import { fromCallback, fromPromise } from 'xstate'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../../api/browser/storage.ts'
import { resetPassword, sendResetCode } from '../../api/resources/password.ts'
import { type RecoveryEvent, recoveryMachine } from '../../machines/recovery/recovery.machine.ts'
import { RecoveryPage } from '../../views/recovery/RecoveryPage.tsx'
import { knownOrFetch } from '../shared/known-or-fetch.ts'
import { definePage } from '../page.ts'

const key = 'password-reset-cooldown'
const Cooldown = z.object({ email: z.string(), until: z.number() })

export const page = definePage({
  logic: recoveryMachine.provide({
    actors: {
      readCooldown: knownOrFetch(() => {
        const stored = z.safeParse(Cooldown, readStored('session', key))
        return { stored: stored.success ? stored.data : null, at: Date.now() }
      }),
      sendCode: fromPromise(async ({ input, signal }) => ({
        reply: await sendResetCode(input, signal),
        at: Date.now(),
      })),
      resetPassword: fromPromise(async ({ input, signal }) => ({
        reply: await resetPassword(input, signal),
        at: Date.now(),
      })),
      clock: fromCallback<RecoveryEvent>(({ sendBack }) => {
        const timer = setInterval(() => sendBack({ type: 'clock.ticked', at: Date.now() }), 1000)
        return () => clearInterval(timer)
      }),
    },
    actions: { storeCooldown: (_args, { cooldown }) => writeStored('session', key, cooldown) },
  }),
  View: RecoveryPage,
})
