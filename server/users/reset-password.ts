import type { AuditLog } from '../audit/audit-log.ts'
import { serverEntryOf, type Entry } from '../audit/entry.ts'
import type { Store } from '../store/store.ts'
import { hashPassword, requireComplexity } from './password.ts'
import type { Accounts } from './account-store.ts'
import { removePasskeys } from './passkeys.ts'
import { requireUnmanaged } from './profile.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'
import { removeTotp } from './totp.ts'

type Services = { store: Store; accounts: Accounts; sessions: Sessions; tokens: Tokens; audit: AuditLog; title: string }

/**
 * Sets a password from the command line. The user must change it at the next sign-in; sessions, tokens and passkeys
 * end. Throws `ApiError` if there is no such user, if another system manages the user, or if the password is too
 * simple.
 */
export const resetPassword = async (
  { store, accounts, sessions, tokens, audit, title }: Services,
  name: string,
  { password, removesTotp }: { password: string; removesTotp: boolean },
): Promise<{ login: string; hasTotp: boolean; isTotpRemoved: boolean }> => {
  const account = await accounts.get(name)
  const { login, id, hasTotp } = account
  requireUnmanaged(account, { password })
  requireComplexity(password, { ...account, title })
  const passwordHash = await hashPassword(password)
  const audited = async (entry: Entry, change: () => Promise<unknown>): Promise<void> => {
    const begun = await audit.begin({ ...entry, outcome: 'started' })
    await change()
    await audit.settle(begun, entry)
  }
  await audited(serverEntryOf(account, 'user.change', { changes: [{ path: 'password' }] }), () =>
    store.transaction(async () => {
      await accounts.change(login, { passwordHash, mustChangePassword: true })
      await sessions.endAll(login)
      await tokens.removeAll(login)
      await removePasskeys(store, id)
    }),
  )
  if (!hasTotp || !removesTotp) return { login, hasTotp, isTotpRemoved: false }
  await audited(serverEntryOf(account, 'user.remove-totp'), () => removeTotp(store, id))
  return { login, hasTotp: false, isTotpRemoved: true }
}
