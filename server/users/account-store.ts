import * as z from 'zod/mini'
import type { User } from '../../src/api/contract/user.ts'
import { newId } from '../access/secrets.ts'
import type { ConfigurationValues } from '../configuration/values.ts'
import { dayMs } from '../durations.ts'
import { actionNotAcceptable, alreadyUsed, notFound, validationError } from '../http/api-error.ts'
import type { Value } from '../store/connection.ts'
import { cachedQuery } from '../store/cached-query.ts'
import { bit, query, type Store } from '../store/store.ts'

const AccountRow = z.object({
  /** Stays at a rename, is never reused, and isn't on the wire. */
  id: z.string(),
  login: z.string(),
  email: z.string(),
  fullName: z.string(),
  language: z.string(),
  isAdmin: bit,
  maxStreamCreation: z.number(),
  isManaged: bit,
  isBlocked: bit,
  passwordHash: z.string(),
  mustChangePassword: bit,
  /** When somebody else last chose the password. */
  passwordGivenAt: z.number(),
  /** Until when the groups that the provider named count; 0: without end. */
  rightsUntil: z.number(),
  hasTotp: bit,
})
export type Account = z.output<typeof AccountRow>
export type NewAccount = Omit<Account, 'id' | 'hasTotp' | 'passwordGivenAt' | 'rightsUntil'>

const columns = `id, login, email, full_name AS fullName, language, is_admin AS isAdmin,
  max_stream_creation AS maxStreamCreation, is_managed AS isManaged, is_blocked AS isBlocked,
  password_hash AS passwordHash, must_change_password AS mustChangePassword,
  password_given_at AS passwordGivenAt, rights_until AS rightsUntil,
  CASE WHEN EXISTS (SELECT 1 FROM totp WHERE totp.user_id = users.id AND totp.confirmed_at IS NOT NULL)
    THEN 1 ELSE 0 END AS hasTotp`

const columnOf = {
  login: 'login',
  email: 'email',
  fullName: 'full_name',
  language: 'language',
  isAdmin: 'is_admin',
  maxStreamCreation: 'max_stream_creation',
  isBlocked: 'is_blocked',
  passwordHash: 'password_hash',
  mustChangePassword: 'must_change_password',
} as const

export type AccountChange = { -readonly [Field in keyof typeof columnOf]?: Account[Field] | undefined }

export type Accounts = {
  /** Ignores case. */
  find: (login: string) => Promise<Account | undefined>
  findByEmail: (email: string) => Promise<Account | undefined>
  /** Like `find`, but rejects with 404. */
  get: (login: string) => Promise<Account>
  all: () => Promise<Account[]>
  /** Rejects with 409 AlreadyUsed, naming the field. */
  create: (account: NewAccount) => Promise<Account>
  /** Changes a user. Rejects with 409 AlreadyUsed, or ActionNotAcceptable if no administrator would remain. */
  change: (login: string, change: AccountChange) => Promise<Account>
  remove: (login: string) => Promise<void>
  hasAdministrator: () => Promise<boolean>
}

const maxLoginLength = 100
/** Logins like the page `/user/add` and the calls `/v1/user/totp`, `…/passkeys` and `…/passkey/{id}`. */
const reservedLogins = new Set(['add', 'totp', 'passkeys', 'passkey'])
export const isReservedLogin = (login: string): boolean => reservedLogins.has(login.toLowerCase())

/** Throws ValidationError for a login that no user may have. */
export const requireLogin = (login: string): void => {
  if (login.length > maxLoginLength) throw validationError({ name: `At most ${maxLoginLength} characters` })
  if (isReservedLogin(login)) throw validationError({ name: 'This name is reserved' })
}

const maxEmailLength = 320

/** A typed login or e-mail address, trimmed; empty if too long. */
export const typedName = (text: string): string => (text.length > maxEmailLength ? '' : text.trim())

const sqlValue = (value: string | number | boolean): Value => (typeof value === 'boolean' ? Number(value) : value)

export const userOf = (account: Account): User => ({
  name: account.login,
  email: account.email,
  fullName: account.fullName,
  language: account.language,
  isAdmin: account.isAdmin,
  permissionType: account.isAdmin ? 'admin' : 'user',
  maxStreamCreation: account.maxStreamCreation,
  isManaged: account.isManaged,
  isBlocked: account.isBlocked,
  ...(account.mustChangePassword ? { mustChangePassword: true } : {}),
  ...(account.hasTotp ? { hasTotp: true } : {}),
})

/** Whether the configuration requires a second factor of a user. For managed users the provider decides that. */
export const isTotpRequired = (
  { isAdmin, isManaged }: Pick<Account, 'isAdmin' | 'isManaged'>,
  of: ConfigurationValues['signIn']['secondFactorOf'],
): boolean => !isManaged && (of === 'everybody' || (of === 'administrators' && isAdmin))

/** Whether a password that an administrator chose has expired before the user changed it. */
export const isInitialPasswordExpired = (
  { mustChangePassword, passwordGivenAt }: Pick<Account, 'mustChangePassword' | 'passwordGivenAt'>,
  { signIn: { initialPasswordDays: days } }: Pick<ConfigurationValues, 'signIn'>,
  now: number,
): boolean => mustChangePassword && days > 0 && now - passwordGivenAt >= days * dayMs

const isOtherCase = (before: string, after: string): boolean =>
  before !== after && before.toLowerCase() === after.toLowerCase()

const CountRow = z.object({ count: z.number() })

export const createAccounts = (store: Store, now: () => number): Accounts => {
  const byLogin = cachedQuery(store, AccountRow, `SELECT ${columns} FROM users WHERE login = ?`)
  const byFolded = query(store, AccountRow, `SELECT ${columns} FROM users WHERE fold(login) = fold(?)`)
  const byEmail = query(store, AccountRow, `SELECT ${columns} FROM users WHERE email = ? AND email <> ''`)
  const everyone = query(store, AccountRow, `SELECT ${columns} FROM users ORDER BY login`)
  const administrators = query(
    store,
    CountRow,
    'SELECT count(*) AS count FROM users WHERE is_admin = 1 AND is_blocked = 0',
  )

  // The NOCASE index of the table folds ASCII only; other logins are compared row by row.
  const find = async (login: string): Promise<Account | undefined> => {
    if (login.length > maxLoginLength) return undefined
    return (await byLogin.get(login)) ?? (/^\p{ASCII}*$/u.test(login) ? undefined : byFolded.get(login))
  }

  const findByEmail = async (email: string): Promise<Account | undefined> =>
    email.length > maxEmailLength ? undefined : byEmail.get(email)

  const get: Accounts['get'] = async (login) => {
    const account = await find(login)
    if (account === undefined) throw notFound()
    return account
  }

  const requireFree = async (login: string | undefined, email: string | undefined, own?: string): Promise<void> => {
    if (login !== undefined) requireLogin(login)
    if (email !== undefined && email.length > maxEmailLength) {
      throw validationError({ email: `At most ${maxEmailLength} characters` })
    }
    const sameLogin = login === undefined ? undefined : await find(login)
    if (sameLogin !== undefined && sameLogin.login !== own) throw alreadyUsed({ name: 'Already used' })
    const sameEmail = email === undefined ? undefined : await findByEmail(email)
    if (sameEmail !== undefined && sameEmail.login !== own) throw alreadyUsed({ email: 'Already used' })
  }

  const countAdministrators = async () => (await administrators.get())?.count ?? 0
  const requireAdministrator = async () => {
    if ((await countAdministrators()) === 0) throw actionNotAcceptable('The last administrator must stay')
  }

  // Asked before every call, so it is cached: the last administrator can't be removed.
  let hadAdministrator = false
  const hasAdministrator = async () => {
    hadAdministrator ||= (await countAdministrators()) > 0
    return hadAdministrator
  }

  return {
    find,
    findByEmail,
    get,
    all: () => everyone.all(),
    hasAdministrator,
    create: (account) =>
      store.transaction(async () => {
        await requireFree(account.login, account.email)
        await store.run(
          `INSERT INTO users (id, login, email, full_name, language, is_admin, max_stream_creation, is_managed,
            is_blocked, password_hash, must_change_password, created_at,
            password_given_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          newId(),
          account.login,
          account.email,
          account.fullName,
          account.language,
          Number(account.isAdmin),
          account.maxStreamCreation,
          Number(account.isManaged),
          Number(account.isBlocked),
          account.passwordHash,
          Number(account.mustChangePassword),
          now(),
          now(),
        )
        return get(account.login)
      }),
    change: (login, change) =>
      store.transaction(async () => {
        const before = await get(login)
        await requireFree(change.login, change.email, before.login)
        if (change.login !== undefined && isOtherCase(before.login, change.login)) {
          // SQLite cascades no change of case: through a login that nobody may have, other tables get the new one.
          await store.run('UPDATE users SET login = ? WHERE id = ?', `/${before.id}`, before.id)
        }
        for (const [field, column] of Object.entries(columnOf)) {
          const value = Object.entries(change).find(([name]) => name === field)?.[1]
          if (value === undefined) continue
          await store.run(`UPDATE users SET ${column} = ? WHERE id = ?`, sqlValue(value), before.id)
        }
        if (change.mustChangePassword === true) {
          const sql = 'UPDATE users SET password_given_at = ? WHERE id = ?'
          await store.run(sql, now(), before.id)
        }
        if (before.isAdmin && !before.isBlocked) await requireAdministrator()
        return get(change.login ?? before.login)
      }),
    remove: (login) =>
      store.transaction(async () => {
        const { login: key, isAdmin, isBlocked } = await get(login)
        await store.run('DELETE FROM users WHERE login = ?', key)
        if (isAdmin && !isBlocked) await requireAdministrator()
      }),
  }
}
