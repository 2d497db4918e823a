import * as z from 'zod/mini'
import type { Value } from '../store/connection.ts'
import { jsonColumn } from '../store/json-column.ts'
import { allOf, query, type Store } from '../store/store.ts'
import { Details } from './tables.ts'

/** `loginId`: the id of the user who has `login` now. */
export type AuditFilter = {
  from?: number | undefined
  to?: number | undefined
  login?: string | undefined
  loginId?: string | undefined
  action?: string | undefined
}

const details = jsonColumn(Details)
const EntryRow = z.object({
  id: z.codec(z.number(), z.string(), { decode: String, encode: Number }),
  time: z.number(),
  login: z.string(),
  action: z.string(),
  target: z.string(),
  ip: z.string(),
  outcome: z.string(),
  details,
  userId: z.nullable(z.string()),
  targetId: z.nullable(z.string()),
  endTime: z.nullable(z.number()),
  times: z.number(),
  bytes: z.nullable(z.number()),
  node: z.string(),
})
/** `hasMore`: more entries exist than `total` counts. */
export type EntryPage = { items: z.output<typeof EntryRow>[]; total: number; hasMore: boolean }

export const auditPageSize = 50
/** Counting takes time in proportion to the entries, and stops here. */
const maxCounted = 10_000
const maxLogins = 10

const columns = `id, time, login, action, target, ip, outcome, details, user_id AS userId, target_id AS targetId,
  end_time AS endTime, times, bytes, node`
const NextId = z.object({ userId: z.nullable(z.string()) })
const Id = z.object({ id: z.number() })
const Count = z.object({ count: z.number() })

type Query = { sql: string; values: Value[] }

/** The part of an action before the dot. */
export const thingOf = (action: string): string => action.split('.')[0] ?? ''

const conditionQuery = ({ from, to, login = '', action = '' }: AuditFilter, ids: readonly string[]): Query => {
  const time: Value[] = [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER]
  const thing = thingOf(action)
  const isVerb = thing !== action
  // The unary plus is a hint to use the index of the user or action.
  const narrowed = `${action === '' ? '' : ' AND +thing = ?'}${isVerb ? ' AND +action = ?' : ''}`
  const branch = (what: string, rest: string) =>
    `SELECT id, time FROM audit_logs WHERE ${what}time >= ? AND time < ?${rest}`
  const verb = isVerb ? [action] : []
  if (login === '') {
    if (action === '') return { sql: branch('', ''), values: time }
    return { sql: branch('thing = ? AND ', isVerb ? ' AND +action = ?' : ''), values: [thing, ...time, ...verb] }
  }
  const nameless = branch('login = ? AND user_id IS NULL AND ', narrowed)
  const branches = [nameless, ...ids.map(() => branch('user_id = ? AND ', narrowed))]
  const rest = [...time, ...(action === '' ? [] : [thing]), ...verb]
  return { sql: branches.join(' UNION ALL '), values: [login, ...ids].flatMap((who) => [who, ...rest]) }
}

export const pageQuery = (filter: AuditFilter, ids: readonly string[]): Query => {
  const { sql, values } = conditionQuery(filter, ids)
  return { sql: `${sql} ORDER BY time DESC, id DESC LIMIT ? OFFSET ?`, values }
}

export const countQuery = (filter: AuditFilter, ids: readonly string[]): Query => {
  const { sql, values } = conditionQuery(filter, ids)
  return { sql: `SELECT count(*) AS count FROM (SELECT id FROM (${sql}) AS found LIMIT ?) AS counted`, values }
}

/** Reads a page, newest first. A login finds entries of all who have or had it; an action may be a thing alone. */
export const createReader = (store: Store) => {
  const nextId = query(store, NextId, 'SELECT min(user_id) AS userId FROM audit_logs WHERE login = ? AND user_id > ?')

  const idsOf = async ({ login = '', loginId }: AuditFilter): Promise<string[]> => {
    const ids = new Set(loginId === undefined ? [] : [loginId])
    let last = login === '' ? null : ((await nextId.get(login, ''))?.userId ?? null)
    while (last !== null && ids.size < maxLogins) {
      ids.add(last)
      last = (await nextId.get(login, last))?.userId ?? null
    }
    return [...ids]
  }

  return async (filter: AuditFilter, page: number): Promise<EntryPage> => {
    const ids = await idsOf(filter)
    const offset = (page - 1) * auditPageSize
    const maxTotal = offset + auditPageSize + maxCounted
    const [listed, counted] = [pageQuery(filter, ids), countQuery(filter, ids)]
    const found = await store.all(Id, listed.sql, ...listed.values, auditPageSize, offset)
    const rows = await allOf(
      found.map(({ id }) => id),
      (some, placeholders) =>
        store.all(EntryRow, `SELECT ${columns} FROM audit_logs WHERE id IN (${placeholders})`, ...some),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    const { count = 0 } = (await store.get(Count, counted.sql, ...counted.values, maxTotal + 1)) ?? {}
    const items = found.flatMap(({ id }) => byId.get(String(id)) ?? [])
    return { items, total: Math.min(count, maxTotal), hasMore: count > maxTotal }
  }
}
