import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { readServerKey } from '../access/shares.ts'
import type { Change } from '../audit/tables.ts'
import type { ServerContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import { jsonColumn } from '../store/json-column.ts'
import { bit, query } from '../store/store.ts'
import { isReservedLogin, type Account, type AccountChange } from '../users/account-store.ts'
import { createGroupRights, type NamedStream } from './group-rights.ts'
import type { OidcOptions } from './options.ts'
import type { Person } from './person.ts'
import { createGroupReadings } from './group-readings.ts'

const groupNames = jsonColumn(z.array(z.string()))
const UserRow = z.object({ id: z.string(), login: z.string(), isAdmin: bit, groupNames })
type UserRow = z.output<typeof UserRow>

type Rules = Pick<OidcOptions, 'adminGroups' | 'allowedGroups' | 'groupRights'> & { groupsHours?: number }

/** Without a provider no group gives rights. */
export const noRules: Rules = { adminGroups: [], allowedGroups: [], groupRights: [] }

const maxLogins = 1000
const columns = 'u.id AS id, u.login AS login, o.is_admin AS isAdmin, o.group_names AS groupNames'

const haveCommon = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one))

/** The users of a provider, identified by issuer and subject, never by a login or an e-mail address of a local user. */
export const createManagedUsers = (
  { store, accounts, sessions, tokens, changes, log, dataDir, now }: ServerContext,
  { adminGroups, allowedGroups, groupRights, groupsHours: hours }: Rules,
) => {
  const readings = createGroupReadings(store, { serverKey: readServerKey(dataDir), now, hours })
  const rights = createGroupRights(store, groupRights)
  const bySubject = query(
    store,
    UserRow,
    `SELECT ${columns} FROM oidc_users o JOIN users u ON u.id = o.user_id WHERE o.issuer = ? AND o.subject = ?`,
  )
  const everyone = query(store, UserRow, `SELECT ${columns} FROM oidc_users o JOIN users u ON u.id = o.user_id`)

  const isAllowed = (groups: readonly string[]): boolean =>
    allowedGroups.length === 0 || haveCommon(groups, allowedGroups)

  const freeLogin = async (nickname: string): Promise<string> => {
    for (let count = 1; count <= maxLogins; count += 1) {
      const login = count === 1 ? nickname : `${nickname}-${count}`
      if (!isReservedLogin(login) && (await accounts.find(login)) === undefined) return login
    }
    throw new Error('No login is free')
  }

  /** The e-mail address; '' if another user has it. */
  const freeEmail = async (email: string, own: string): Promise<string> => {
    const owner = email === '' ? undefined : await accounts.findByEmail(email)
    return owner === undefined || owner.login === own ? email : ''
  }

  const create = async ({ issuer, subject, nickname }: Person): Promise<Account> => {
    const account = await accounts.create({
      login: await freeLogin(nickname),
      email: '',
      fullName: '',
      language: '',
      isAdmin: false,
      maxStreamCreation: 0,
      isManaged: true,
      isBlocked: false,
      passwordHash: '',
      mustChangePassword: false,
    })
    const sql = `INSERT INTO oidc_users (issuer, subject, user_id, is_admin, group_names) VALUES (?, ?, ?, 0, '[]')`
    await store.run(sql, issuer, subject, account.id)
    return account
  }

  /** Makes a user an administrator, or revokes that, by the groups; returns whether a group makes the user one. */
  const applyAdministrator = async (user: UserRow, groups: readonly string[]): Promise<boolean> => {
    const shouldBeAdmin = haveCommon(groups, adminGroups)
    const { isAdmin } = await accounts.get(user.login)
    if (shouldBeAdmin && !isAdmin) {
      await accounts.change(user.login, { isAdmin: true })
      return true
    }
    if (shouldBeAdmin || !user.isAdmin) return user.isAdmin
    try {
      if (isAdmin) await accounts.change(user.login, { isAdmin: false })
      return false
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.warn({ login: user.login }, 'single sign-on: the last administrator stays, though no group says so')
      return true
    }
  }

  /** Grants the rights of the groups, revokes others, and returns whether anything changes. Within a transaction. */
  const applyGroups = async (
    user: UserRow,
    groups: readonly string[],
    streams: readonly NamedStream[],
  ): Promise<boolean> => {
    const isAdmin = await applyAdministrator(user, groups)
    const hasRights = await rights.apply(user.login, groups, streams)
    if (isAdmin === user.isAdmin && isDeepStrictEqual(groups, user.groupNames)) return hasRights
    const sql = 'UPDATE oidc_users SET is_admin = ?, group_names = ? WHERE user_id = ?'
    await store.run(sql, Number(isAdmin), JSON.stringify(groups), user.id)
    return true
  }

  const expel = async (user: UserRow): Promise<void> => {
    await applyGroups(user, [], [])
    await sessions.endAll(user.login)
    await tokens.removeAll(user.login)
  }

  const changesOf = (before: Account | undefined, after: Account, groups: readonly [string, string]): Change[] => {
    const kinds = [before?.isAdmin === true ? 'admin' : 'user', after.isAdmin ? 'admin' : 'user'] as const
    return [
      ...(groups[0] === groups[1] ? [] : [{ path: 'groups', from: groups[0], to: groups[1] }]),
      ...(kinds[0] === kinds[1] ? [] : [{ path: 'permissionType', from: kinds[0], to: kinds[1] }]),
    ]
  }

  /** The user as the provider has them now, with the rights of their groups. Within a transaction. */
  const apply = async (person: Person, refreshToken: string | undefined) => {
    const { issuer, subject, email, fullName, groups } = person
    const known = await bySubject.get(issuer, subject)
    const before = known === undefined ? await create(person) : await accounts.get(known.login)
    const change: AccountChange = {
      email: await freeEmail(email, before.login),
      ...(fullName === '' ? {} : { fullName }),
    }
    await accounts.change(before.login, change)
    const user = known ?? { id: before.id, login: before.login, isAdmin: false, groupNames: [] }
    await applyGroups(user, groups, await rights.streams())
    await readings.markRead(user.id, refreshToken)
    const account = await accounts.get(before.login)
    const names = [user.groupNames.join(', '), groups.join(', ')] as const
    return { account, isNew: known === undefined, changes: changesOf(before, account, names) }
  }

  return {
    readings,
    find: async ({ issuer, subject }: Person): Promise<Account | undefined> => {
      const known = await bySubject.get(issuer, subject)
      return known === undefined ? undefined : accounts.find(known.login)
    },
    isAllowed: ({ groups }: Person): boolean => isAllowed(groups),

    apply,

    /** The same for a known user, without a sign-in; one whose groups may not sign in is signed out. */
    reapply: (person: Person, refreshToken: string): Promise<Change[]> =>
      store.transaction(async () => {
        const known = await bySubject.get(person.issuer, person.subject)
        if (known === undefined) return []
        if (isAllowed(person.groups)) return (await apply(person, refreshToken)).changes
        const before = await accounts.get(known.login)
        await expel(known)
        const names = [known.groupNames.join(', '), person.groups.join(', ')] as const
        return changesOf(before, await accounts.get(known.login), names)
      }),

    /** Ends rights, sessions and tokens of a user whose groups may not sign in. */
    refuse: async (person: Person): Promise<void> => {
      await store.transaction(async () => {
        const known = await bySubject.get(person.issuer, person.subject)
        if (known !== undefined) await expel(known)
      })
      changes.note('oidc_permissions')
    },

    /** Applies everybody's groups by the present rules and names of streams. Rules change only at the start. */
    reconcile: async ({ isStart }: { isStart: boolean }): Promise<void> => {
      const hasChanged = await store.transaction(async () => {
        if (isStart) await readings.applyHours()
        const all = await everyone.all()
        const streams = all.length === 0 ? [] : await rights.streams()
        const changed: UserRow[] = []
        for (const user of all) {
          const maySignIn = isAllowed(user.groupNames)
          if (!maySignIn && isStart) await expel(user)
          if (maySignIn ? await applyGroups(user, user.groupNames, streams) : isStart) changed.push(user)
        }
        return changed.length > 0
      })
      if (hasChanged) changes.note('oidc_permissions')
    },
  }
}
export type ManagedUsers = ReturnType<typeof createManagedUsers>
