import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { migrate, query } from '../store/database.ts'

const EntryRow = z.object({
  id: z.number(), time: z.number(), login: z.string(), action: z.string(), target: z.string(), ip: z.string(), outcome: z.string(),
})
type Entry = Omit<z.output<typeof EntryRow>, 'id' | 'time'>

export type AuditFilter = { from?: number | undefined; to?: number | undefined; login?: string | undefined; action?: string | undefined }

export type AuditLog = {
  write: (entry: Entry) => void
  /** Newest first. `login` is exact but for its case; `action` is an action, or the things before its dot. */
  read: (filter: AuditFilter, page: number) => { items: (Entry & { id: string; time: number })[]; total: number }
}

export const auditPageSize = 50
/** Refusals have a bound of their own, so that guessing can't push out what was done. */
const keptAtMost = 100_000
const keptRefusals = 20_000
const trimEvery = 200

const steps: readonly string[] = [
  `CREATE TABLE audit_logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL, login TEXT NOT NULL COLLATE NOCASE, action TEXT NOT NULL,
    target TEXT NOT NULL, ip TEXT NOT NULL, outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_logs_time ON audit_logs (time);`,
]

const conditions = ({ from, to, login, action }: AuditFilter): { sql: string; values: (string | number)[] } => {
  const parts: [string, (string | number)[]][] = []
  if (from !== undefined) parts.push(['time >= ?', [from]])
  if (to !== undefined) parts.push(['time < ?', [to]])
  if (login !== undefined && login !== '') parts.push(['login = ?', [login]])
  if (action !== undefined && action !== '') parts.push(["(action = ? OR substr(action, 1, length(?) + 1) = ? || '.')", [action, action, action]])
  return { sql: parts.length === 0 ? '1' : parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, values]) => values) }
}

/** Who did and watched what, bounded; without foreign keys, as it outlives those it names. */
export const createAuditLog = (db: DatabaseSync, now: () => number, limits = { all: keptAtMost, refusals: keptRefusals }): AuditLog => {
  migrate(db, 'audit', steps)
  const insert = db.prepare('INSERT INTO audit_logs (time, login, action, target, ip, outcome) VALUES (?, ?, ?, ?, ?, ?)')
  const trims = [
    db.prepare(
      `DELETE FROM audit_logs WHERE id <= (SELECT id FROM audit_logs ORDER BY id DESC LIMIT 1 OFFSET ${limits.all})`,
    ),
    db.prepare(
      `DELETE FROM audit_logs WHERE outcome <> 'ok' AND id <= (
         SELECT id FROM audit_logs WHERE outcome <> 'ok' ORDER BY id DESC LIMIT 1 OFFSET ${limits.refusals})`,
    ),
  ]
  let written = 0

  return {
    write: ({ login, action, target, ip, outcome }) => {
      insert.run(now(), login.slice(0, 100), action, target.slice(0, 300), ip, outcome)
      written += 1
      if (written % trimEvery === 0) for (const trim of trims) trim.run()
    },
    read: (filter, page) => {
      const { sql, values } = conditions(filter)
      const rows = query(db, EntryRow, `SELECT * FROM audit_logs WHERE ${sql} ORDER BY id DESC LIMIT ${auditPageSize} OFFSET ?`)
      const count = query(db, z.object({ count: z.number() }), `SELECT count(*) AS count FROM audit_logs WHERE ${sql}`)
      const items = rows.all(...values, (page - 1) * auditPageSize).map((row) => ({ ...row, id: String(row.id) }))
      return { items, total: count.get(...values)?.count ?? 0 }
    },
  }
}
