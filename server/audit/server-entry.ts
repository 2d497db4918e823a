import type { Account } from '../users/account-store.ts'
import type { Entry } from './audit-log.ts'

/** The entry about what the server does by itself, or an operator by a command. */
export const serverEntry = (
  action: string,
  about: Partial<Pick<Entry, 'target' | 'targetId' | 'details'>> = {},
): Entry => ({
  kind: 'administration',
  action,
  login: '',
  userId: null,
  actor: 'server',
  target: undefined,
  targetId: null,
  ip: '',
  outcome: 'ok',
  details: {},
  ...about,
})

/** The same, where it is done to a user. */
export const serverEntryOf = (
  { id, login }: Pick<Account, 'id' | 'login'>,
  action: string,
  details: Entry['details'] = {},
): Entry => serverEntry(action, { target: { id: login }, targetId: id, details })
