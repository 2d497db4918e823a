import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { migrate, query } from '../store/database.ts'
import { createThrottle, hostOf } from '../users/throttle.ts'
import { createReader, thingOf, type AuditFilter, type EntryPage } from './entries.ts'
import { bounds, createQuotas, type Bounds, type Removal } from './quotas.ts'
import { auditSteps, interrupted, started, type Details, type Kind } from './tables.ts'
import { covering, targetText, type Target } from './target.ts'
import { hourMs } from '../durations.ts'

export type Entry = {
  kind: Kind
  action: string
  /** At the time of the entry; empty if the caller is unknown. */
  login: string
  userId: string | null
  actor: string
  target: Target | undefined
  /** The id of a user, unchanged by renames. */
  targetId: string | null
  ip: string
  outcome: string
  details: Details
}

export type Begun = { id: number; entry: Entry }

export type AuditLog = {
  /** Writes an entry as `started`. Throws if it can't be written. */
  begin: (entry: Entry) => Begun
  settle: (begun: Begun, entry: Entry) => void
  /** Writes an entry and returns its id. Above its pace, an actor's similar entries are counted in one. */
  write: (entry: Entry) => number
  finish: (id: number, outcome: string, bytes: number) => void
  /** Logs whether the log is on. A change while the server was down is an entry of its own. */
  noteState: (isEnabled: boolean, isStart: boolean) => void
  read: (filter: AuditFilter, page: number) => EntryPage
}

const anchorsAtMost = 10_000
/** Entries at once, and one more per interval; above that, similar entries are counted in one. */
const paces: Partial<Record<Kind, [capacity: number, refillMs: number]>> = {
  viewing: [120, 10_000],
  refusal: [60, 30_000],
  guess: [30, 60_000],
}
/** Removal of a younger administration entry is itself logged. */
const youngMs = 30 * 24 * hourMs

const columns = 'time, ip, kind, actor, login, user_id, action, thing, target, target_id, outcome, details'
const StateRow = z.object({ isEnabled: z.number() })

export const createAuditLog = (db: DatabaseSync, now: () => number, limits: Bounds = bounds): AuditLog => {
  migrate(db, 'audit', auditSteps)
  db.prepare('UPDATE audit_logs SET outcome = ? WHERE outcome = ?').run(interrupted, started)
  const insert = db.prepare(`INSERT INTO audit_logs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const conclude = db.prepare('UPDATE audit_logs SET target = ?, target_id = ?, outcome = ?, details = ? WHERE id = ?')
  const attribute = db.prepare(
    'UPDATE audit_logs SET kind = ?, actor = ?, login = ?, user_id = ?, action = ?, thing = ? WHERE id = ?',
  )
  const remove = db.prepare('DELETE FROM audit_logs WHERE id = ?')
  const repeat = db.prepare('UPDATE audit_logs SET times = times + 1, end_time = ?, target = ? WHERE id = ?')
  const end = db.prepare('UPDATE audit_logs SET outcome = ?, end_time = ?, bytes = coalesce(bytes, 0) + ? WHERE id = ?')
  const state = query(db, StateRow, 'SELECT is_enabled AS isEnabled FROM audit_state')
  const setState = db.prepare('UPDATE audit_state SET is_enabled = ?')

  const throttles = new Map(
    Object.entries(paces).map(([kind, [capacity, refillMs]]) => [kind, createThrottle(capacity, refillMs, now)]),
  )
  const anchors = new Map<string, { id: number; at: number; target: Target | undefined }>()

  const keyColumns = ({ kind, actor, login, userId, action }: Entry) =>
    [kind, actor, login, userId, action, thingOf(action)] as const
  const outcomeColumns = ({ target, targetId, outcome, details }: Entry) =>
    [targetText(target), targetId, outcome, JSON.stringify(details)] as const

  const insertEntry = (entry: Entry): number =>
    Number(insert.run(now(), entry.ip, ...keyColumns(entry), ...outcomeColumns(entry)).lastInsertRowid)

  const add = (entry: Entry): number => {
    const id = insertEntry(entry)
    quotas.added(entry.kind, entry.actor)
    return id
  }

  const likeness = ({ kind, actor, ip, action, outcome, target }: Entry): string =>
    [kind, actor, hostOf(ip), action, outcome, target?.id ?? ''].join(' ')

  /** The entry to count this one in; undefined if the actor may write another. */
  const repeated = (entry: Entry): number | undefined => {
    const throttle = throttles.get(entry.kind)
    if (throttle === undefined || throttle.take(entry.actor) === undefined) return undefined
    const key = likeness(entry)
    const anchor = anchors.get(key)
    if (anchor === undefined || now() - anchor.at > hourMs) return undefined
    const target = covering(anchor.target, entry.target)
    if (repeat.run(now(), targetText(target), anchor.id).changes === 0) return undefined
    anchors.set(key, { ...anchor, target })
    return anchor.id
  }

  const anchor = (id: number, entry: Entry): void => {
    if (!throttles.has(entry.kind)) return
    anchors.set(likeness(entry), { id, at: now(), target: entry.target })
    const [oldest] = anchors.keys()
    if (anchors.size > anchorsAtMost && oldest !== undefined) anchors.delete(oldest)
  }

  const write = (entry: Entry): number => {
    const known = repeated(entry)
    if (known !== undefined) return known
    const id = add(entry)
    anchor(id, entry)
    return id
  }

  const ofServer = (action: string): Entry => ({
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
  })

  const notices = new Map<string, { id: number; at: number; count: number }>()
  /** Logs that an actor's own administration entries were removed: one entry an hour and actor. */
  const tellRemoval = ({ kind, actor, login, userId, time }: Removal): void => {
    if (kind !== 'administration' || actor === 'server' || now() - time > youngMs) return
    const last = notices.get(actor)
    const isOn = last !== undefined && now() - last.at < hourMs
    const count = isOn ? last.count + 1 : 1
    const entry: Entry = {
      ...ofServer('audit.trim'),
      target: { id: login },
      targetId: userId,
      details: {
        changes: [
          { path: 'entries', to: String(count) },
          { path: 'until', to: new Date(time).toISOString() },
        ],
      },
    }
    if (isOn) conclude.run(...outcomeColumns(entry), last.id)
    notices.set(actor, isOn ? { ...last, count } : { id: insertEntry(entry), at: now(), count })
    // Last, as this entry may remove another.
    if (!isOn) quotas.added(entry.kind, entry.actor)
  }
  const quotas = createQuotas(db, limits, tellRemoval)

  return {
    begin: (entry) => ({ id: add({ ...entry, outcome: started }), entry }),
    settle: ({ id, entry: before }, entry) => {
      if (repeated(entry) !== undefined) {
        if (remove.run(id).changes > 0) quotas.removed(before.kind)
        return
      }
      conclude.run(...outcomeColumns(entry), id)
      anchor(id, entry)
      if (
        isDeepStrictEqual(keyColumns(before), keyColumns(entry)) ||
        attribute.run(...keyColumns(entry), id).changes === 0
      )
        return
      quotas.removed(before.kind)
      quotas.added(entry.kind, entry.actor)
    },
    write,
    finish: (id, outcome, bytes) => void end.run(outcome, now(), bytes, id),
    noteState: (isEnabled, isStart) => {
      if ((state.get()?.isEnabled === 1) === isEnabled) return
      setState.run(Number(isEnabled))
      if (isStart) add(ofServer(isEnabled ? 'audit.on' : 'audit.off'))
    },
    read: createReader(db),
  }
}
