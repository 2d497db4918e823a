import * as z from 'zod/mini'
import type { Group, GroupBody, GroupPatch, GroupSummary } from '../../src/api/contract/groups.ts'
import { newId } from '../access/secrets.ts'
import { alreadyUsed, notFound, quotaReached, validationError } from '../http/api-error.ts'
import { allOf, query, type Store } from '../store/store.ts'

const Kind = z.enum(['users', 'streams'])
const Row = z.object({ id: z.string(), kind: Kind, name: z.string() })
const SummaryRow = z.object({ id: z.string(), kind: z.string(), name: z.string(), memberCount: z.number() })
const Member = z.object({ member: z.string() })
const Count = z.object({ count: z.number() })

type GroupRow = z.output<typeof Row>

const maxGroups = 1000
export const groupsPageSize = 50

/** Logins ignore the case of ASCII letters, as the table of users does. */
const memberTables = {
  users: {
    table: 'group_users',
    column: 'login',
    of: 'users',
    fold: (login: string) => login.toLowerCase(),
    unknown: 'Unknown login',
  },
  streams: {
    table: 'group_streams',
    column: 'uid',
    of: 'streams',
    fold: (uid: string) => uid,
    unknown: 'Unknown stream',
  },
} as const

export type GroupStore = ReturnType<typeof createGroupStore>

export const createGroupStore = (store: Store) => {
  const byId = query(store, Row, 'SELECT id, kind, name FROM access_groups WHERE id = ?')
  const byName = query(store, Row, 'SELECT id, kind, name FROM access_groups WHERE kind = ? AND fold(name) = fold(?)')
  const count = query(store, Count, 'SELECT count(*) AS count FROM access_groups')
  const pageOf = query(
    store,
    SummaryRow,
    `SELECT g.id AS id, g.kind AS kind, g.name AS name,
       (SELECT count(*) FROM group_users u WHERE u.group_id = g.id)
       + (SELECT count(*) FROM group_streams s WHERE s.group_id = g.id) AS memberCount
     FROM access_groups g ORDER BY g.kind DESC, fold(g.name), g.id LIMIT ? OFFSET ?`,
  )

  const get = async (id: string): Promise<GroupRow> => {
    const row = await byId.get(id)
    if (row === undefined) throw notFound()
    return row
  }

  const membersOf = async ({ id, kind }: GroupRow): Promise<string[]> => {
    const { table, column } = memberTables[kind]
    const sql = `SELECT ${column} AS member FROM ${table} WHERE group_id = ? ORDER BY ${column}`
    return (await store.all(Member, sql, id)).map(({ member }) => member)
  }

  const withMembers = async (row: GroupRow): Promise<Group> => ({ ...row, members: await membersOf(row) })

  /** Throws 400 with the first member that doesn't exist. */
  const setMembers = async ({ id, kind }: GroupRow, members: readonly string[]): Promise<void> => {
    const { table, column, of, fold, unknown } = memberTables[kind]
    await store.run(`DELETE FROM ${table} WHERE group_id = ?`, id)
    const found = await allOf([...new Set(members)], async (some, placeholders) => {
      const from = `FROM ${of} WHERE ${column} IN (${placeholders})`
      const insert = `INSERT INTO ${table} (group_id, ${column}) SELECT ?, ${column} ${from} ON CONFLICT DO NOTHING`
      await store.run(insert, id, ...some)
      return store.all(Member, `SELECT ${column} AS member ${from}`, ...some)
    })
    const known = new Set(found.map(({ member }) => fold(member)))
    const index = members.findIndex((member) => !known.has(fold(member)))
    if (index !== -1) throw validationError({ [`members.${index}`]: unknown })
  }

  const requireFreeName = async (kind: GroupRow['kind'], name: string, own?: string): Promise<void> => {
    const same = await byName.get(kind, name)
    if (same !== undefined && same.id !== own) throw alreadyUsed({ name: 'Already used' })
  }

  return {
    /** Rejects with 404. */
    get,
    find: (id: string): Promise<GroupRow | undefined> => byId.get(id),
    membersOf,
    withMembers,
    page: async (page: number): Promise<{ items: GroupSummary[]; total: number }> => ({
      items: await pageOf.all(groupsPageSize, (page - 1) * groupsPageSize),
      total: (await count.get())?.count ?? 0,
    }),
    add: ({ kind, name, members }: z.output<typeof GroupBody>): Promise<Group> =>
      store.transaction(async () => {
        if (((await count.get())?.count ?? 0) >= maxGroups) throw quotaReached()
        await requireFreeName(kind, name)
        const row: GroupRow = { id: newId(), kind, name }
        await store.run('INSERT INTO access_groups (id, kind, name) VALUES (?, ?, ?)', row.id, kind, name)
        await setMembers(row, members)
        return withMembers(row)
      }),
    change: (id: string, { name, members }: z.output<typeof GroupPatch>): Promise<Group> =>
      store.transaction(async () => {
        const before = await get(id)
        const row = { ...before, name: name ?? before.name }
        await requireFreeName(row.kind, row.name, id)
        await store.run('UPDATE access_groups SET name = ? WHERE id = ?', row.name, id)
        if (members !== undefined) await setMembers(row, members)
        return withMembers(row)
      }),
    /** Rejects with 404. */
    remove: async (id: string): Promise<void> => {
      if ((await store.run('DELETE FROM access_groups WHERE id = ?', id)).changes === 0) throw notFound()
    },
  }
}
