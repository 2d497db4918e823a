import type { Account } from '../users/account-store.ts'
import type { Details, Kind } from './tables.ts'
import type { Target } from './target.ts'

export type Entry = {
  kind: Kind
  action: string
  /** As it was at the time of the entry; empty if the caller is unknown. */
  login: string
  userId: string | null
  /** Whose quota the entry counts in: `user ID`, `host ADDRESS`, `share UID` or `server`. */
  actor: string
  target: Target | undefined
  /** The id of the user that the entry is about; a rename doesn't change it. */
  targetId: string | null
  ip: string
  outcome: string
  details: Details
}

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
