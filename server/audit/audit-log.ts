import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { allOf, query, type Store } from '../store/store.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
import { hostOfIp } from '../http/host-of-ip.ts'
import { createThrottle } from '../users/throttle.ts'
import { serverEntry, type Entry } from './entry.ts'
import { createReader, thingOf, type AuditFilter, type EntryPage } from './entries.ts'
import { bounds, createQuotas, type Bounds, type Removal } from './quotas.ts'
import { interrupted, started, type Kind } from './tables.ts'
import { covering, targetText, type Target } from './target.ts'
import { hourMs } from '../durations.ts'

/** An entry that was written before its change, as `started`. */
export type StartedEntry = { id: number; entry: Entry }

export type AuditLog = {
  /** Writes an entry as `started`. Rejects if it can't be written. */
  begin: (entry: Entry) => Promise<StartedEntry>
  /** Replaces a `started` entry by its final form. */
  settle: (begun: StartedEntry, entry: Entry) => Promise<void>
  /** Writes an entry and returns its id. An actor's similar entries above `rateLimits` are counted in one. */
  write: (entry: Entry) => Promise<number>
  /** Sets outcome and end of a download; adds its bytes. */
  finish: (id: number, outcome: string, bytes: number) => Promise<void>
  /** Sets the end of a viewing that goes on, once `flush` is called. */
  extend: (id: number) => void
  /** Stores the ends of viewings, all at once, as many writes would delay changes. */
  flush: () => Promise<void>
  /** Stores whether the log is on. At the start, a difference from the stored state becomes an entry. */
  recordState: (isEnabled: boolean, when: 'start' | 'change') => Promise<void>
  read: (filter: AuditFilter, page: number) => Promise<EntryPage>
}

const maxAnchors = 10_000
/** Entries of an actor at once, and the interval for one more. Above it, similar entries are counted in one. */
const rateLimits: Partial<Record<Kind, [capacity: number, refillMs: number]>> = {
  viewing: [120, 10_000],
  refusal: [60, 30_000],
  guess: [30, 60_000],
}
/** The removal of an administration entry younger than this is itself logged. */
const loggedRemovalMs = 30 * 24 * hourMs

const columns = 'node, time, ip, kind, actor, login, user_id, action, thing, target, target_id, outcome, details'
const IdRow = z.object({ id: z.number() })
const StateRow = z.object({ isEnabled: z.number() })

const insert = `INSERT INTO audit_logs (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`
const conclude = 'UPDATE audit_logs SET target = ?, target_id = ?, outcome = ?, details = ? WHERE id = ?'
const attribute =
  'UPDATE audit_logs SET kind = ?, actor = ?, login = ?, user_id = ?, action = ?, thing = ? WHERE id = ?'
const repeat = 'UPDATE audit_logs SET times = times + 1, end_time = ?, target = ? WHERE id = ?'
const end = 'UPDATE audit_logs SET outcome = ?, end_time = ?, bytes = coalesce(bytes, 0) + ? WHERE id = ?'

/** Marks what was in progress when the server, or this node, ended as interrupted. Only at the start of the server. */
export const markInterrupted = async (store: Store, node = ''): Promise<void> => {
  await store.run("UPDATE audit_logs SET outcome = ? WHERE outcome = ? AND node IN ('', ?)", interrupted, started, node)
}

/** `node`: empty for one server alone. */
type Options = { node?: string; limits?: Bounds }

/** Don't call its functions within a transaction: they run one after another, and one before may wait for the store. */
export const createAuditLog = async (
  store: Store,
  now: () => number,
  { node = '', limits = bounds }: Options = {},
): Promise<AuditLog> => {
  const state = query(store, StateRow, 'SELECT is_enabled AS isEnabled FROM audit_state')
  const turns = createSerialQueue()
  /** The ids of entries whose ends `flush` stores. */
  const extended = new Set<number>()

  const throttles = new Map(
    Object.entries(rateLimits).map(([kind, [capacity, refillMs]]) => [kind, createThrottle(capacity, refillMs, now)]),
  )
  /** The entries in which similar ones are counted, by `likeness`. */
  const anchors = new Map<string, { id: number; at: number; target: Target | undefined }>()

  const keyColumns = ({ kind, actor, login, userId, action }: Entry) =>
    [kind, actor, login, userId, action, thingOf(action)] as const
  const outcomeColumns = ({ target, targetId, outcome, details }: Entry) =>
    [targetText(target), targetId, outcome, JSON.stringify(details)] as const

  const insertEntry = async (entry: Entry): Promise<number> => {
    const row = await store.get(IdRow, insert, node, now(), entry.ip, ...keyColumns(entry), ...outcomeColumns(entry))
    if (row === undefined) throw new Error('The entry was not kept')
    return row.id
  }

  const add = async (entry: Entry): Promise<number> => {
    const id = await insertEntry(entry)
    await quotas.added(entry.kind, entry.actor)
    return id
  }

  const likeness = ({ kind, actor, ip, action, outcome, target }: Entry): string =>
    [kind, actor, hostOfIp(ip), action, outcome, target?.id ?? ''].join(' ')

  /** Counts an entry in a similar one and returns that one's id; undefined if the actor may write another. */
  const countRepeat = async (entry: Entry): Promise<number | undefined> => {
    const throttle = throttles.get(entry.kind)
    if (throttle === undefined || throttle.take(entry.actor) === undefined) return undefined
    const key = likeness(entry)
    const anchor = anchors.get(key)
    if (anchor === undefined || now() - anchor.at > hourMs) return undefined
    const target = covering(anchor.target, entry.target)
    if ((await store.run(repeat, now(), targetText(target), anchor.id)).changes === 0) return undefined
    anchors.set(key, { ...anchor, target })
    return anchor.id
  }

  const addAnchor = (id: number, entry: Entry): void => {
    if (!throttles.has(entry.kind)) return
    anchors.set(likeness(entry), { id, at: now(), target: entry.target })
    const [oldest] = anchors.keys()
    if (anchors.size > maxAnchors && oldest !== undefined) anchors.delete(oldest)
  }

  const write = async (entry: Entry): Promise<number> => {
    const known = await countRepeat(entry)
    if (known !== undefined) return known
    const id = await add(entry)
    addAnchor(id, entry)
    return id
  }

  /** The entries about removals, by actor. */
  const notices = new Map<string, { id: number; at: number; count: number }>()
  /** Logs that administration entries of an actor were removed by the quota: one entry per actor and hour. */
  const logRemoval = async ({ kind, actor, login, userId, time }: Removal): Promise<void> => {
    if (kind !== 'administration' || actor === 'server' || now() - time > loggedRemovalMs) return
    const last = notices.get(actor)
    const isRecent = last !== undefined && now() - last.at < hourMs
    const count = isRecent ? last.count + 1 : 1
    const changes = [
      { path: 'entries', to: String(count) },
      { path: 'until', to: new Date(time).toISOString() },
    ]
    const about = { target: { id: login }, targetId: userId, details: { changes } }
    const entry = serverEntry('audit.trim', about)
    if (isRecent) await store.run(conclude, ...outcomeColumns(entry), last.id)
    notices.set(actor, isRecent ? { ...last, count } : { id: await insertEntry(entry), at: now(), count })
    // Last, as this entry may remove another.
    if (!isRecent) await quotas.added(entry.kind, entry.actor)
  }
  const quotas = await createQuotas(store, limits, logRemoval)

  const settle = async ({ id, entry: before }: StartedEntry, entry: Entry): Promise<void> => {
    if ((await countRepeat(entry)) !== undefined) {
      const { changes } = await store.run('DELETE FROM audit_logs WHERE id = ?', id)
      if (changes > 0) quotas.removed(before.kind)
      return
    }
    await store.run(conclude, ...outcomeColumns(entry), id)
    addAnchor(id, entry)
    if (isDeepStrictEqual(keyColumns(before), keyColumns(entry))) return
    const { changes } = await store.run(attribute, ...keyColumns(entry), id)
    if (changes === 0) return
    quotas.removed(before.kind)
    await quotas.added(entry.kind, entry.actor)
  }

  return {
    begin: (entry) => turns(async () => ({ id: await add({ ...entry, outcome: started }), entry })),
    settle: (begun, entry) => turns(() => settle(begun, entry)),
    write: (entry) => turns(() => write(entry)),
    finish: (id, outcome, bytes) =>
      turns(async () => {
        await store.run(end, outcome, now(), bytes, id)
      }),
    extend: (id) => void extended.add(id),
    flush: () =>
      turns(async () => {
        const ids = [...extended]
        await allOf(ids, (some, placeholders) => {
          const extend = `UPDATE audit_logs SET end_time = ? WHERE id IN (${placeholders}) RETURNING id`
          return store.all(IdRow, extend, now(), ...some)
        })
        for (const id of ids) extended.delete(id)
      }),
    recordState: (isEnabled, when) =>
      turns(async () => {
        if (((await state.get())?.isEnabled === 1) === isEnabled) return
        await store.run('UPDATE audit_state SET is_enabled = ?', Number(isEnabled))
        if (when === 'start') await add(serverEntry(isEnabled ? 'audit.on' : 'audit.off'))
      }),
    read: createReader(store),
  }
}
