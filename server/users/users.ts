import type { BackgroundWrites } from '../store/background-writes.ts'
import type { Store } from '../store/store.ts'
import { createAccounts, type Accounts } from './account-store.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createTotpFactors, type TotpFactors } from './totp.ts'

/** User accounts, and what users sign in with. */
export type Users = { accounts: Accounts; sessions: Sessions; tokens: Tokens; totp: TotpFactors; passkeys: Passkeys }

type Services = { store: Store; backgroundWrites: BackgroundWrites; serverKey: Buffer; now: () => number }

export const createUsers = ({ store, backgroundWrites, serverKey, now }: Services): Users => ({
  accounts: createAccounts(store, now),
  sessions: createSessions(store, backgroundWrites, now),
  tokens: createTokens(store, now),
  totp: createTotpFactors(store, serverKey, now),
  passkeys: createPasskeys(store, serverKey, now),
})
