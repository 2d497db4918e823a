import type { Passkey, PasskeyCreationOptions } from '../../api/contract/passkeys.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { nameErrors } from '../form/required-name.ts'
import type { ListReply } from '../listed.ts'

/** `host`: the host name in the console's URL. `device`: the suggested name of a new passkey. */
export type FetchedPasskeys = ListReply<Passkey> & { host: string; device: string }

export type NewPasskeyValues = { name: string; password: string }
export type PasskeyNameValues = { id: string; name: string }

/** Submitting answers the options from which the browser creates the passkey. */
export const newPasskeyFormMachine = formMachineOf<NewPasskeyValues, PasskeyCreationOptions>({
  fieldOfCode: { InvalidOldPassword: 'password' },
  validate: (values) => ({ ...nameErrors(values), ...(values.password === '' ? { password: 'required' } : {}) }),
})

export const passkeyNameFormMachine = formMachineOf<PasskeyNameValues, object>({ validate: nameErrors })
