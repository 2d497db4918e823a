import type { Passkey, PasskeyCreationOptions } from '../../api/contract/passkeys.ts'
import { formMachineOf } from '../form/form.machine.ts'
import type { ListReply } from '../listed.ts'

/** `host`: the host name in the console's URL. `device`: the suggested name of a new passkey. */
export type FetchedPasskeys = ListReply<Passkey> & { host: string; device: string }

export type NewPasskeyValues = { name: string; password: string }
export type PasskeyNameValues = { id: string; name: string }

const named = ({ name }: { name: string }) => (name.trim() === '' ? { name: 'required' } : {})

/** Submitting answers the options from which the browser creates the passkey. */
export const newPasskeyFormMachine = formMachineOf<NewPasskeyValues, PasskeyCreationOptions>({
  fieldOfCode: { InvalidOldPassword: 'password' },
  validate: (values) => ({ ...named(values), ...(values.password === '' ? { password: 'required' } : {}) }),
})

export const passkeyNameFormMachine = formMachineOf<PasskeyNameValues, object>({ validate: named })
