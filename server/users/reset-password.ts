import type { AuditLog, Entry } from '../audit/audit-log.ts'
import type { Store } from '../store/store.ts'
import { hashPassword, requireComplexity } from './password.ts'
import type { People } from './people.ts'
import { requireUnmanaged } from './profile.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'
import { removeTotp } from './totp.ts'

type Rooms = { store: Store; people: People; sessions: Sessions; tokens: Tokens; audit: AuditLog; title: string }

const entryOf = (login: string, userId: string, action: 'user.change' | 'user.remove-totp' = 'user.change'): Entry => ({
  kind: 'administration',
  action,
  login: '',
  userId: null,
  actor: 'server',
  target: { id: login },
  targetId: userId,
  ip: '',
  outcome: 'ok',
  details: action === 'user.change' ? { changes: [{ path: 'password' }] } : {},
})

/**
 * Sets a password by a command of the machine. The user must change it at the next sign-in; sessions and tokens end.
 * The second factor stays, unless it is to be removed: answers whether it was.
 * Throws an `ApiError` if there is no such user, if another system manages it, or if the password is too simple.
 */
export const resetPassword = async (
  { store, people, sessions, tokens, audit, title }: Rooms,
  name: string,
  { password, removesTotp }: { password: string; removesTotp: boolean },
): Promise<{ login: string; hasTotp: boolean; isTotpRemoved: boolean }> => {
  const person = await people.get(name)
  const { login, id, hasTotp } = person
  requireUnmanaged(person, { password })
  requireComplexity(password, { ...person, title })
  const passwordHash = await hashPassword(password)
  const begun = await audit.begin({ ...entryOf(login, id), outcome: 'started' })
  await store.transaction(async () => {
    await people.change(login, { passwordHash, mustChangePassword: true })
    await sessions.endAll(login)
    await tokens.removeAll(login)
  })
  await audit.settle(begun, entryOf(login, id))
  if (!hasTotp || !removesTotp) return { login, hasTotp, isTotpRemoved: false }
  const removal = await audit.begin({ ...entryOf(login, id, 'user.remove-totp'), outcome: 'started' })
  await removeTotp(store, id)
  await audit.settle(removal, entryOf(login, id, 'user.remove-totp'))
  return { login, hasTotp: false, isTotpRemoved: true }
}
