import type { User, UserBody, UserPatch } from '../../api/contract/user.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { nameErrors } from '../form/required-name.ts'

/** The fields of the forms that add and edit a user, named as on the wire; `maxStreamCreation` '' means no limit. */
export interface UserValues {
  name: string
  fullName: string
  email: string
  password: string
  language: string
  permissionType: 'admin' | 'user'
  maxStreamCreation: string
}

export const blankUser: UserValues = {
  name: '',
  fullName: '',
  email: '',
  password: '',
  language: '',
  permissionType: 'user',
  maxStreamCreation: '',
}

export const userValuesOf = ({ name, fullName, email, language, isAdmin, maxStreamCreation }: User): UserValues => ({
  name,
  fullName,
  email,
  password: '',
  language,
  permissionType: isAdmin ? 'admin' : 'user',
  maxStreamCreation: maxStreamCreation < 0 ? '' : String(maxStreamCreation),
})

const limitOf = (text: string): number => (/^\s*(?:-1)?\s*$/.test(text) ? -1 : Number(text))

/** Errors found without the server. A new user, one without a saved name, needs a password. */
export function validateUser({ name, password, maxStreamCreation }: UserValues, saved: UserValues): FieldErrors {
  const limit = limitOf(maxStreamCreation)
  return {
    ...nameErrors({ name }),
    ...(Number.isInteger(limit) && limit >= -1 ? {} : { maxStreamCreation: 'invalidNumber' }),
    ...(saved.name === '' && password === '' ? { password: 'required' } : {}),
  }
}

export const userFormMachine = formMachineOf<UserValues, object>({
  fieldOfCode: { AlreadyUsed: 'name', PasswordIsNotComplexEnough: 'password', ActionNotAcceptable: 'permissionType' },
  validate: validateUser,
  afterSave: () => ({ password: '' }),
  draft: ({ password: _, ...rest }) => rest,
})

export const userBodyOf = ({
  name,
  fullName,
  email,
  password,
  language,
  permissionType,
  maxStreamCreation,
}: UserValues): UserBody => ({
  name: name.trim(),
  fullName: fullName.trim(),
  email: email.trim(),
  password,
  language,
  permissionType,
  maxStreamCreation: limitOf(maxStreamCreation),
})

export function userPatch(values: UserValues, saved: UserValues): UserPatch {
  const before = userBodyOf(saved)
  const after = userBodyOf(values)
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.fullName === before.fullName ? {} : { fullName: after.fullName }),
    ...(after.email === before.email ? {} : { email: after.email }),
    ...(after.password === '' ? {} : { password: after.password }),
    ...(after.language === before.language ? {} : { language: after.language }),
    ...(after.permissionType === before.permissionType ? {} : { permissionType: after.permissionType }),
    ...(after.maxStreamCreation === before.maxStreamCreation ? {} : { maxStreamCreation: after.maxStreamCreation }),
  }
}
