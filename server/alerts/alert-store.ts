import * as z from 'zod/mini'
import { newId } from '../access/secrets.ts'
import { quotaReached } from '../http/api-error.ts'
import { parseJson } from '../parse-json.ts'
import { bit, query, type Store } from '../store/store.ts'
import type { Memory, Reported } from './grouping.ts'
import { grouped, Happening, Rule, type StoredAlert } from './happenings.ts'

const Row = z.object({ id: z.string(), name: z.string(), rule: z.string() })
const ReportedRow = z.object({ alert: z.string(), subject: z.string(), isFailing: bit, time: z.number() })

const HeldRow = z.object({ happenings: z.string(), total: z.number() })
const Happenings = z.array(Happening)

/** What happened in quiet hours. `total`: the number of all happenings, of which `happenings` has the first. */
type Held = { happenings: Happening[]; total: number }

const maxHeld = 500
const maxAlerts = 200
/** Subjects that one alert remembers. */
const maxRemembered = 2000

/** Empty if this version can't read the rule. */
const alertOf = ({ id, name, rule }: z.output<typeof Row>): StoredAlert[] => {
  const known = parseJson(Rule, rule)
  return known === undefined ? [] : [{ id, name, ...known }]
}

const ruleOf = ({ on, streams, labels, quietMinutes, to, quietHours }: Omit<StoredAlert, 'id' | 'name'>): string =>
  JSON.stringify({ on, streams, labels, quietMinutes, to, quietHours } satisfies z.output<typeof Rule>)

export type AlertStore = ReturnType<typeof createAlertStore>

export const createAlertStore = (store: Store) => {
  const every = query(store, Row, `SELECT id, name, rule FROM alerts ORDER BY created, id LIMIT ${maxAlerts}`)
  const byId = query(store, Row, 'SELECT id, name, rule FROM alerts WHERE id = ?')
  const count = query(store, z.object({ count: z.number() }), 'SELECT count(*) AS count FROM alerts')
  const everyReported = query(
    store,
    ReportedRow,
    'SELECT alert, subject, failing AS isFailing, time FROM alert_reported',
  )

  const everyHeld = query(store, z.object({ alert: z.string() }), 'SELECT alert FROM alert_held')
  const heldOf = query(store, HeldRow, 'SELECT happenings, total FROM alert_held WHERE alert = ?')

  const held = async (alert: string): Promise<Held> => {
    const row = await heldOf.get(alert)
    return row === undefined
      ? { happenings: [], total: 0 }
      : { happenings: parseJson(Happenings, row.happenings) ?? [], total: row.total }
  }

  return {
    /** The ids of alerts with held happenings. */
    idsWithHeld: async (): Promise<Set<string>> => new Set((await everyHeld.all()).map(({ alert }) => alert)),
    held,
    /** Adds to the held happenings; does nothing if the alert was removed. */
    hold: (alert: string, happenings: readonly Happening[]): Promise<void> =>
      store.transaction(async () => {
        const before = await held(alert)
        const all = grouped([...before.happenings, ...happenings])
        const total = all.length + before.total - before.happenings.length
        await store.run(
          `INSERT INTO alert_held (alert, happenings, total) SELECT id, ?, ? FROM alerts WHERE id = ?
           ON CONFLICT (alert) DO UPDATE SET happenings = excluded.happenings, total = excluded.total`,
          JSON.stringify(all.slice(0, maxHeld)),
          total,
          alert,
        )
      }),
    dropHeld: async (alert: string): Promise<void> => {
      await store.run('DELETE FROM alert_held WHERE alert = ?', alert)
    },
    /** Oldest first. */
    list: async (): Promise<StoredAlert[]> => (await every.all()).flatMap(alertOf),
    find: async (id: string): Promise<StoredAlert | undefined> => (await byId.all(id)).flatMap(alertOf)[0],
    add: (alert: Omit<StoredAlert, 'id'>, now: number): Promise<StoredAlert> =>
      store.transaction(async () => {
        if (((await count.get())?.count ?? 0) >= maxAlerts) throw quotaReached()
        const id = newId()
        const sql = 'INSERT INTO alerts (id, name, rule, created) VALUES (?, ?, ?, ?)'
        await store.run(sql, id, alert.name, ruleOf(alert), now)
        return { ...alert, id }
      }),
    change: async (alert: StoredAlert): Promise<void> => {
      await store.run('UPDATE alerts SET name = ?, rule = ? WHERE id = ?', alert.name, ruleOf(alert), alert.id)
    },
    /** False if there is no such alert. */
    remove: async (id: string): Promise<boolean> =>
      (await store.run('DELETE FROM alerts WHERE id = ?', id)).changes > 0,
    /**
     * In one step, registers that events are reported now, and calls `keep` with the subjects of those that no node has
     * reported for `quietMs`. Resolves with what `keep` has kept.
     */
    report: <Kept>(
      alert: string,
      subjects: readonly string[],
      { now, quietMs }: { now: number; quietMs: number },
      keep: (unreported: ReadonlySet<string>) => Promise<Kept>,
    ): Promise<Kept> =>
      store.transaction(async () => {
        const unreported = new Set<string>()
        for (const subject of subjects) {
          const { changes } = await store.run(
            `INSERT INTO alert_reported (alert, subject, failing, time) SELECT id, ?, 0, ? FROM alerts WHERE id = ?
             ON CONFLICT (alert, subject) DO UPDATE SET failing = 0, time = excluded.time
             WHERE abs(excluded.time - alert_reported.time) >= ?`,
            subject,
            now,
            alert,
            quietMs,
          )
          if (changes > 0) unreported.add(subject)
        }
        return keep(unreported)
      }),
    /** What each alert has reported, by its id. */
    memories: async (): Promise<Map<string, Memory>> => {
      const found = Map.groupBy(await everyReported.all(), ({ alert }) => alert)
      return new Map(
        [...found].map(([alert, rows]) => [
          alert,
          new Map(rows.map(({ subject, isFailing, time }) => [subject, { isFailing, time }])),
        ]),
      )
    },
    /** `undefined` forgets the subject. Does nothing if the alert was removed. */
    remember: async (alert: string, subject: string, reported: Reported | undefined): Promise<void> => {
      if (reported === undefined) {
        await store.run('DELETE FROM alert_reported WHERE alert = ? AND subject = ?', alert, subject)
        return
      }
      await store.run(
        `INSERT INTO alert_reported (alert, subject, failing, time) SELECT id, ?, ?, ? FROM alerts WHERE id = ?
         ON CONFLICT (alert, subject) DO UPDATE SET failing = excluded.failing, time = excluded.time`,
        subject,
        Number(reported.isFailing),
        reported.time,
        alert,
      )
    },
  }
}

/** The subjects above the limit that a memory may forget: those that don't fail, the oldest first. */
export const forgettable = (memory: Memory): string[] =>
  memory.size <= maxRemembered
    ? []
    : [...memory]
        .filter(([, { isFailing }]) => !isFailing)
        .toSorted(([, a], [, b]) => a.time - b.time)
        .slice(0, memory.size - maxRemembered)
        .map(([subject]) => subject)
