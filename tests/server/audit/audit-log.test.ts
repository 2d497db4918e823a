import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createAuditLog, markInterrupted } from '../../../server/audit/audit-log.ts'
import type { Entry } from '../../../server/audit/entry.ts'
import { countQuery, pageQuery, type AuditFilter } from '../../../server/audit/entries.ts'
import { bounds, type Bounds } from '../../../server/audit/quotas.ts'
import { auditSteps, kinds, type Kind } from '../../../server/audit/tables.ts'
import { covering, printable, targetText } from '../../../server/audit/target.ts'
import { query, type Store } from '../../../server/store/store.ts'
import { at, start } from '../fixtures/harness.ts'
import { memoryDatabase, memoryStore, sqliteStore } from '../fixtures/memory-store.ts'
import { schema } from '../../../server/schema.ts'

const dayMs = 86_400_000
const small: Bounds = {
  administration: { all: 300, each: 100 },
  change: { all: 300, each: 100 },
  viewing: { all: 300, each: 100 },
  refusal: { all: 300, each: 100 },
  guess: { all: 300, each: 100 },
}

const of = (actor: string, change: Partial<Entry> = {}): Entry => ({
  kind: 'change',
  action: 'a.b',
  login: actor,
  userId: `id of ${actor}`,
  actor: `user ${actor}`,
  target: undefined,
  targetId: null,
  ip: '192.0.2.1',
  outcome: 'ok',
  details: {},
  ...change,
})

const open = async (limits: Bounds = small, openStore = memoryStore) => {
  const store = await openStore(schema)
  let time = start
  const audit = await createAuditLog(store, () => time, { limits })
  const wait = (ms: number) => {
    time += ms
  }
  const left = query(
    store,
    z.object({ who: z.string(), count: z.number() }),
    'SELECT login AS who, count(*) AS count FROM audit_logs WHERE kind = ? GROUP BY login ORDER BY login',
  )
  const leftOf = async (kind: Kind) => Object.fromEntries((await left.all(kind)).map(({ who, count }) => [who, count]))
  return { store, audit, wait, left: leftOf }
}

const times = async (count: number, work: (turn: number) => Promise<unknown>) => {
  for (let turn = 0; turn < count; turn += 1) await work(turn)
}

describe('the bounds', () => {
  test('who writes much pushes out their own oldest entries alone', async () => {
    const { audit, left } = await open()
    await times(20, () => audit.write(of('bob')))
    await times(5000, () => audit.write(of('ann')))
    expect(await left('change')).toEqual({ ann: 100, bob: 20 })
    expect((await audit.read({ login: 'bob' }, 1)).total).toBe(20)
    expect(Number((await audit.read({ login: 'ann' }, 1)).items[0]?.id)).toBe(5020)
  })

  test('where many fill a kind, those with the most lose theirs', async () => {
    const { audit, left } = await open()
    await times(10, () => audit.write(of('bob')))
    for (const login of ['a', 'b', 'c', 'd', 'e']) await times(100, () => audit.write(of(login)))
    expect(await left('change')).toEqual({ a: 58, b: 58, bob: 10, c: 58, d: 58, e: 58 })
  })

  test('no kind takes the room of another', async () => {
    const { audit, left } = await open()
    await audit.write(of('ann', { kind: 'administration' }))
    for (const kind of ['change', 'viewing', 'refusal', 'guess'] as const) {
      await times(2000, (turn) => audit.write(of(`${turn % 50}`, { kind, target: { id: String(turn) } })))
    }
    expect(await left('administration')).toEqual({ ann: 1 })
    const sumOf = async (kind: Kind) => Object.values(await left(kind)).reduce((sum, count) => sum + count, 0)
    for (const kind of kinds) expect(await sumOf(kind)).toBeLessThanOrEqual(300)
  })

  test('of many who guess once each the newest are kept', async () => {
    const { audit, left } = await open()
    const named = (turn: number) => `${turn}`.padStart(4, '0')
    await times(1000, (turn) => audit.write(of(named(turn), { kind: 'guess', outcome: 'AuthorizationFailed' })))
    expect(Object.keys(await left('guess'))).toEqual(Array.from({ length: 300 }, (_one, index) => named(700 + index)))
  })

  test('an administrator whose own changes push out others of theirs leaves that they went', async () => {
    const { audit, wait } = await open()
    const change = of('ann', { kind: 'administration', action: 'user.change' })
    await audit.write({ ...change, action: 'user.create', target: { id: 'backdoor' } })
    await times(400, () => audit.write(change))
    expect((await audit.read({ action: 'user.create' }, 1)).total).toBe(0)
    expect((await audit.read({ action: 'audit.trim' }, 1)).items).toEqual([
      expect.objectContaining({
        login: '',
        target: 'ann',
        targetId: 'id of ann',
        details: {
          changes: [
            { path: 'entries', to: '301' },
            { path: 'until', to: new Date(start).toISOString() },
          ],
        },
      }),
    ])
    wait(40 * dayMs)
    await times(100, () => audit.write(change))
    expect((await audit.read({ action: 'audit.trim' }, 1)).total).toBe(1)
  })
})

describe('what is done over and over', () => {
  const view = (turn: number, change: Partial<Entry> = {}) => {
    const from = start + turn * 1000
    return of('bob', { kind: 'viewing', action: 'archive.view', target: { id: 's1', from, to: from + 500 }, ...change })
  }

  test('is counted in one entry, which covers all of it, once somebody writes more than a person does', async () => {
    const { audit, wait } = await open(bounds)
    await times(1000, (turn) => audit.write(view(turn)))
    await audit.write(view(5, { target: { id: 's2', from: start } }))
    const { items, total } = await audit.read({}, 1)
    expect(total).toBe(121)
    expect(items.slice(0, 2)).toEqual([
      expect.objectContaining({ target: `s2 ${at(0)}`, times: 1 }),
      expect.objectContaining({ target: `s1 ${at(119_000)}/${at(999_500)}`, times: 881, endTime: start }),
    ])
    wait(dayMs)
    await audit.write(view(0))
    expect((await audit.read({}, 1)).total).toBe(122)
  })

  test('of guesses at many names one entry is left and their number', async () => {
    const { audit } = await open()
    const guess: Partial<Entry> = { kind: 'guess', userId: null, action: 'password.reset', outcome: 'TooManyRequests' }
    await times(5000, async (turn) => {
      const entry = of('', { ...guess, actor: 'host 203.0.113.9', details: { claimed: `name ${turn}` } })
      await audit.settle(await audit.begin(entry), entry)
    })
    const { items, total } = await audit.read({}, 1)
    expect(total).toBe(30)
    expect(items[0]).toMatchObject({ times: 4971, details: { claimed: 'name 29' } })
  })

  test('a change is never counted in another', async () => {
    const { audit } = await open(bounds)
    await times(300, () => audit.write(of('bob')))
    expect((await audit.read({}, 1)).total).toBe(300)
  })
})

test('what was going on when the server stopped is logged as interrupted', async () => {
  const { store, audit } = await open()
  const [done] = [await audit.begin(of('ann')), await audit.begin(of('bob'))]
  await audit.settle(done, of('ann', { target: { id: 's1' } }))
  await markInterrupted(store)
  const again = await createAuditLog(store, () => start, { limits: small })
  expect((await again.read({}, 1)).items.map(({ login, outcome, target }) => [login, outcome, target])).toEqual([
    ['bob', 'interrupted', ''],
    ['ann', 'ok', 's1'],
  ])
})

test('a download has its end and what went out, added up where one entry stands for more', async () => {
  const { audit } = await open(bounds)
  const target = { id: 's1', from: start, to: start + 1000 }
  const download = of('bob', { kind: 'viewing', action: 'archive.download', outcome: 'started', target })
  const ids = await Promise.all(Array.from({ length: 121 }, () => audit.write(download)))
  expect(ids.at(-1)).toBe(ids.at(-2))
  for (const id of ids) await audit.finish(id, id === ids.at(-1) ? 'aborted' : 'ok', 10)
  const [last, before] = (await audit.read({}, 1)).items
  expect(last).toMatchObject({ outcome: 'aborted', bytes: 20, times: 2 })
  expect(before).toMatchObject({ outcome: 'ok', bytes: 10, times: 1 })
})

test('a login finds what was done by each user who has it or had it, under other logins too', async () => {
  const { audit } = await open()
  await audit.write(of('bob', { action: 'one.a' }))
  await audit.write(of('bob', { action: 'two.b', login: 'ann2' }))
  await audit.write(of('ann', { action: 'three.c' }))
  await audit.write(of('', { action: 'four.d', login: 'bob', userId: null }))
  const found = async (filter: AuditFilter) => (await audit.read(filter, 1)).items.map(({ action }) => action)
  expect(await found({ login: 'BOB' })).toEqual(['four.d', 'two.b', 'one.a'])
  expect(await found({ login: 'ann2' })).toEqual(['two.b', 'one.a'])
  expect(await found({ login: 'rob', loginId: 'id of bob' })).toEqual(['two.b', 'one.a'])
  expect(await found({ login: 'bob', action: 'two' })).toEqual(['two.b'])
  expect(await found({ login: 'nobody' })).toEqual([])
})

const plan = async (
  store: Store,
  { sql, values }: { sql: string; values: unknown[] },
  ...more: number[]
): Promise<string[]> => {
  const steps = query(store, z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${sql}`)
  return (await steps.all(...values.map(String), ...more)).map(({ detail }) => detail)
}

test('no page is read by going through the log', async () => {
  const { store } = await open(small, sqliteStore)
  const logins: AuditFilter[] = [{}, { login: 'ann' }]
  const actions: AuditFilter[] = [{}, { action: 'user' }, { action: 'user.change' }]
  const filters = logins.flatMap((login) => actions.map((action) => ({ ...login, ...action })))
  const plans: string[] = []
  for (const one of filters.flatMap((filter) => [filter, { ...filter, from: start, to: start + 1 }])) {
    plans.push(...(await plan(store, pageQuery(one, ['a', 'b']), 50, 0)))
    plans.push(...(await plan(store, countQuery(one, ['a', 'b']), 50)))
  }
  expect(plans.filter((detail) => /SCAN audit_logs|TEMP B-TREE/.test(detail))).toEqual([])
  const searches = plans.filter((detail) => detail.startsWith('SEARCH audit_logs'))
  expect(searches.length).toBeGreaterThan(20)
  expect(searches.filter((detail) => !detail.includes('USING COVERING INDEX'))).toEqual([])
})

test('of a long log only some thousands beyond the page are counted', async () => {
  // One statement that adds so many counts each in the same row, which PostgreSQL takes minutes for.
  const { store, audit } = await open(small, sqliteStore)
  await store.run(`INSERT INTO audit_logs (time, login, action, target, ip, outcome)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT i, 'ann', 'a.b', '', '', 'ok' FROM n`)
  expect(await audit.read({}, 1)).toMatchObject({ total: 10_050, hasMore: true })
  expect(await audit.read({ login: 'ann' }, 401)).toMatchObject({ total: 30_000, hasMore: false })
  expect((await audit.read({}, 600)).items.at(-1)).toMatchObject({ id: '1' })
})

test('the log of a version without kinds keeps its entries, each in its kind', async () => {
  const reopen = await memoryDatabase()
  const before = await reopen(new Map([['audit', auditSteps.slice(0, 1)]]))
  const insert = "INSERT INTO audit_logs (time, login, action, target, ip, outcome) VALUES (?, 'Ann', ?, '', '', ?)"
  const rows: [action: string, outcome: string, kind: Kind][] = [
    ['user.create', 'ok', 'administration'],
    ['session.sign-in', 'AuthorizationFailed', 'refusal'],
    ['stream.view', 'ok', 'viewing'],
    ['archive.download', 'ok', 'viewing'],
    ['stream.change', 'ok', 'change'],
  ]
  for (const [index, [action, outcome]] of rows.entries()) await before.run(insert, start + index, action, outcome)
  const store = await reopen(new Map([['audit', auditSteps]]))
  const audit = await createAuditLog(store, () => start)
  const Kept = z.object({ kind: z.string(), actor: z.string() })
  const kept = await store.all(Kept, 'SELECT kind, actor FROM audit_logs ORDER BY id')
  expect(kept).toEqual(rows.map(([, , kind]) => ({ kind, actor: 'login ann' })))
  const found = (await audit.read({ login: 'ann' }, 1)).items.map(({ action }) => action)
  expect(found).toEqual(rows.map(([action]) => action).toReversed())
})

describe('what others write', () => {
  test('is short, and has nothing in it that can not be seen', () => {
    expect(printable('Gate 1')).toBe('Gate 1')
    expect(printable('a\u202eb\u0000\n\u{e0001}')).toBe(String.raw`a\u{202e}b\u{0}\u{a}\u{e0001}`)
    expect(printable('x'.repeat(500))).toBe(`${'x'.repeat(100)}…`)
    expect(printable('\n'.repeat(500))).toHaveLength(101)
    expect(printable('\ud800')).toBe('\ufffd')
  })

  test('is no target longer than one', () => {
    expect(targetText({ id: 'x'.repeat(1000) })).toHaveLength(300)
    expect(targetText(undefined)).toBe('')
    expect(covering({ id: 's', from: 5 }, { id: 's', from: 2, to: 3 })).toEqual({ id: 's', from: 2, to: 5 })
    expect(covering({ id: 's', from: 5 }, { id: 's', from: 5 })).toEqual({ id: 's', from: 5 })
    expect(covering({ id: 's' }, { id: 's' })).toEqual({ id: 's' })
  })
})
