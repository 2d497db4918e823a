import type { AuditLog, Entry } from '../audit/audit-log.ts'
import type { Store } from '../store/store.ts'
import { hashPassword, requireComplexity } from './password.ts'
import type { Accounts, Account } from './account-store.ts'
import { removePasskeys } from './passkeys.ts'
import { requireUnmanaged } from './profile.ts'
import type { Sessions } from './sessions.ts'
import type { Tokens } from './tokens.ts'
import { removeTotp } from './totp.ts'

type Services = { store: Store; accounts: Accounts; sessions: Sessions; tokens: Tokens; audit: AuditLog; title: string }

const entryOf = (account: Account, { action, details }: Pick<Entry, 'action' | 'details'>): Entry => ({
  kind: 'administration',
  action,
  login: '',
  userId: null,
  actor: 'server',
  target: { id: account.login },
  targetId: account.id,
  ip: '',
  outcome: 'ok',
  details,
})

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
  const audited = async (what: Pick<Entry, 'action' | 'details'>, change: () => Promise<unknown>): Promise<void> => {
    const entry = entryOf(account, what)
    const begun = await audit.begin({ ...entry, outcome: 'started' })
    await change()
    await audit.settle(begun, entry)
  }
  await audited({ action: 'user.change', details: { changes: [{ path: 'password' }] } }, () =>
    store.transaction(async () => {
      await accounts.change(login, { passwordHash, mustChangePassword: true })
      await sessions.endAll(login)
      await tokens.removeAll(login)
      await removePasskeys(store, id)
    }),
  )
  if (!hasTotp || !removesTotp) return { login, hasTotp, isTotpRemoved: false }
  await audited({ action: 'user.remove-totp', details: {} }, () => removeTotp(store, id))
  return { login, hasTotp: false, isTotpRemoved: true }
}
