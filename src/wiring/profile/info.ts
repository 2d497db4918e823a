import { fromPromise } from 'xstate'
import { beginTotp, confirmTotp, removeTotp } from '../../api/resources/second-factor.ts'
import type { Reply } from '../../api/reply.ts'
import {
  codeFormMachine,
  type FactorAnswer,
  passwordFormMachine,
  secondFactorMachine,
} from '../../machines/profile/second-factor.machine.ts'
import { ProfileInfoPage } from '../../views/profile/ProfileInfoPage.tsx'
import { definePage } from '../page.ts'

const passwordForm = (send: (password: string, signal: AbortSignal) => Promise<Reply<FactorAnswer>>) =>
  passwordFormMachine.provide({
    actors: { submit: fromPromise(({ input: { values }, signal }) => send(values.password, signal)) },
  })

export const page = definePage({
  logic: secondFactorMachine.provide({
    actors: {
      begin: passwordForm(beginTotp),
      confirm: codeFormMachine.provide({
        actors: { submit: fromPromise(({ input: { values }, signal }) => confirmTotp(values.code.trim(), signal)) },
      }),
      remove: passwordForm(removeTotp),
    },
  }),
  View: ProfileInfoPage,
})
