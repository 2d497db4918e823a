import type { ProfilePatch } from '../../api/contract/user.ts'
import type { ProfileValues } from './profile-edit.machine.ts'

/** The changed fields (docs/wire.md §5.4); with a new password also the old one and what becomes of the tokens. */
export function profilePatch(values: ProfileValues, saved: ProfileValues): ProfilePatch {
  const { password, oldPassword, tokens } = values
  const fullName = values.fullName.trim()
  const email = values.email.trim()
  return {
    ...(fullName === saved.fullName ? {} : { fullName }),
    ...(email === saved.email ? {} : { email }),
    ...(values.language === saved.language ? {} : { language: values.language }),
    ...(password === '' ? {} : { password, oldPassword }),
    ...(password === '' || tokens === '' ? {} : { revokeTokens: tokens === 'revoked' }),
  }
}
