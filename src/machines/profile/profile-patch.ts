import type { ProfilePatch } from '../../api/contract/user.ts'
import type { ProfileValues } from './profile-edit.machine.ts'

/**
 * The changed fields (docs/wire.md §5.4). A new password comes with the old one and what becomes of the tokens. A new
 * email comes with the old password if that was typed: the server asks for it an hour after signing in.
 */
export function profilePatch(values: ProfileValues, saved: ProfileValues): ProfilePatch {
  const { password, oldPassword, tokens } = values
  const fullName = values.fullName.trim()
  const email = values.email.trim()
  const isNewEmail = email !== saved.email.trim()
  const isProof = oldPassword !== '' && (password !== '' || isNewEmail)
  return {
    ...(fullName === saved.fullName.trim() ? {} : { fullName }),
    ...(isNewEmail ? { email } : {}),
    ...(values.language === saved.language ? {} : { language: values.language }),
    ...(password === '' ? {} : { password }),
    ...(isProof ? { oldPassword } : {}),
    ...(password === '' || tokens === '' ? {} : { revokeTokens: tokens === 'revoked' }),
  }
}
