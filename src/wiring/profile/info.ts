import { fromPromise } from 'xstate'
import { createPasskey } from '../../api/browser/passkeys.ts'
import { addPasskey, beginPasskey, getPasskeys, removePasskey, renamePasskey } from '../../api/resources/passkeys.ts'
import { beginTotp, confirmTotp, removeTotp } from '../../api/resources/second-factor.ts'
import type { Reply } from '../../api/reply.ts'
import { newPasskeyMachine } from '../../machines/profile/new-passkey.machine.ts'
import { newPasskeyFormMachine, passkeyNameFormMachine } from '../../machines/profile/passkey-forms.ts'
import { passkeysMachine } from '../../machines/profile/passkeys.machine.ts'
import { profileInfoMachine } from '../../machines/profile/profile-info.machine.ts'
import {
  codeFormMachine,
  type FactorAnswer,
  passwordFormMachine,
  secondFactorMachine,
} from '../../machines/profile/second-factor.machine.ts'
import { deviceOf } from '../../machines/sessions/user-agent.ts'
import { ProfileInfoPage } from '../../views/profile/ProfileInfoPage.tsx'
import { definePage } from '../page.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { required } from '../shared/required.ts'

const passwordForm = (send: (password: string, signal: AbortSignal) => Promise<Reply<FactorAnswer>>) =>
  passwordFormMachine.provide({
    actors: { submit: fromPromise(({ input: { values }, signal }) => send(values.password, signal)) },
  })

/** The name suggested for a passkey of this device: `Windows, Chrome`. */
function deviceHere(): string {
  const { browser, system } = deviceOf(navigator.userAgent)
  return [system, browser.replace(/ \d+$/, '')].filter((part) => part !== '').join(', ')
}

const secondFactor = secondFactorMachine.provide({
  actors: {
    begin: passwordForm(beginTotp),
    confirm: codeFormMachine.provide({
      actors: { submit: fromPromise(({ input: { values }, signal }) => confirmTotp(values.code.trim(), signal)) },
    }),
    remove: passwordForm(removeTotp),
  },
})

const passkeys = passkeysMachine.provide({
  actors: {
    newPasskey: newPasskeyMachine.provide({
      actors: {
        form: newPasskeyFormMachine.provide({
          actors: { submit: fromPromise(({ input: { values }, signal }) => beginPasskey(values.password, signal)) },
        }),
        createPasskey: fromPromise(async ({ input, signal }) => createPasskey(required(input), signal)),
        addPasskey: fromPromise(async ({ input: { name, credential }, signal }) =>
          addPasskey({ name, credential: required(credential) }, signal),
        ),
      },
    }),
    rename: passkeyNameFormMachine.provide({
      actors: {
        submit: fromPromise(({ input: { values }, signal }) =>
          renamePasskey({ id: values.id, name: values.name.trim() }, signal),
        ),
        watchLeaving,
      },
    }),
    fetchPasskeys: fromPromise(async ({ signal }) => ({
      reply: await getPasskeys(signal),
      at: Date.now(),
      host: globalThis.location.hostname,
      device: deviceHere(),
    })),
    removePasskey: fromPromise(({ input, signal }) => removePasskey(input.id, signal)),
  },
})

export const page = definePage({
  logic: profileInfoMachine.provide({ actors: { secondFactor, passkeys } }),
  View: ProfileInfoPage,
})
