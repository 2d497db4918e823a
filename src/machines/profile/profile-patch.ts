import type { ProfilePatch } from '../../api/contract/user.ts'
import type { ProfileValues } from './profile-edit.machine.ts'

/** Only what changed (docs/wire.md §5.4); the old password and the choice of tokens go along with a new one. */
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
