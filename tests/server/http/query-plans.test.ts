import type { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addPeople } from '../../../scripts/access-table.ts'
import { createExportStore } from '../../../server/exports/export-store.ts'
import { openDatabase } from '../../../server/store/sqlite.ts'
import { createChallenges } from '../../../server/users/passkey-challenges.ts'
import { createResetCodes } from '../../../server/users/reset-codes.ts'
import { addRows, bodies, pathOf, queries, recordMinute, refusing } from '../fixtures/every-call.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { planOf, recordQueries } from '../fixtures/query-plans.ts'
import { startVideo } from '../fixtures/video.ts'

/** tests/server/archive/archive-queries.test.ts holds each question of the archive to more, over a long archive. */

/** Tables that a call may go through, as they stay small. */
const small: Readonly<Record<string, string>> = {
  access_groups: 'at most 1000',
  alerts: 'at most 200',
  alert_held: 'one for each alert',
  alert_deliveries: 'the newest 1000, and those that wait',
  audit_state: 'one row',
  configuration_versions: 'the last 50',
  mosaics: 'at most 200 of each user',
  plans: 'at most 100',
  plan_cameras: 'at most 300 of each plan',
  recorded_hours: 'the hours of a day of each stream',
  reset_codes: 'those of 15 minutes: one of each user, and 20,000 of unknown addresses',
  users: 'people',
  volumes: 'disks',
}

/** What is asked about all streams, or all exports, by calls that answer or add up all of them. */
const aboutAll: readonly [sql: RegExp, why: string][] = [
  [/^SELECT count\(\*\) AS count FROM streams$/, 'the limit of streams counts them all, as one is added'],
  [/^SELECT uid FROM streams ORDER BY uid$/, 'a support bundle has them all'],
  [/^SELECT uid AS id, name FROM streams WHERE .* instr\(/, 'a search looks at each name'],
  [/^SELECT uid FROM streams WHERE \(TRUE\) LIMIT/, 'a search of the events of all streams takes 101 of them'],
  [/FROM recordings .*WHERE purged = 0/, 'the size of the archive by stream'],
  [/FROM recordings WHERE purged (?:= 0|> 0)/, 'which recordings there are, one or two of each stream'],
  [/^SELECT .* FROM exports ORDER BY created DESC, id DESC LIMIT 1000$/, 'the newest 1000'],
  [/^SELECT coalesce\(sum\(bytes\), 0\) AS bytes FROM exports$/, 'at most 100 of each user'],
]

/** Calls that ask others than the database: the network, a program, or nobody. */
const unasked = [
  'GET /v1/openapi.json',
  'POST /v1/onvif/discover',
  'POST /v1/stream/resume/:uid',
  'POST /v1/tunnel/start',
]

/** Asked after the others, as they remove what the others are about. */
const last = [
  'PATCH /v1/user/:login',
  'DELETE /v1/user/:login',
  'DELETE /v1/stream/:uid',
  'DELETE /v1/admin/recordings/:uid',
]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Route = { method: (typeof methods)[number]; url: string; isForAdministrators: boolean }
const nameOf = ({ method, url }: Route): string => `${method} ${url}`

/** The steps of a statement that go through all rows of a table, or make an index of them first. */
const scansOf = (db: DatabaseSync, tables: ReadonlySet<string>, sql: string): string[] =>
  planOf(db, sql).filter((detail) => {
    const [, alias] = /^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail) ?? []
    if (alias === undefined) return false
    const [, aliased = ''] = new RegExp(String.raw`(?:FROM|JOIN) (\w+) (?:AS )?${alias}\b`).exec(sql) ?? []
    const table = tables.has(alias) ? alias : aliased
    return tables.has(table) && small[table] === undefined
  })

const openSite = async () => {
  // What is asked by the clock isn't asked by a call.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const routes: Route[] = []
  const video = await startVideo({
    connect: connectHere,
    addsAdmin: false,
    signsIn: false,
    beforeRoutes: (building) => {
      building.addHook('onRoute', ({ method: given, url, config }) => {
        const method = methods.find((known) => [given].flat().includes(known))
        if (method === undefined || !url.startsWith('/v1/')) return
        routes.push({ method, url, isForAdministrators: config?.access?.to === 'administrator' })
      })
    },
  })
  await addPeople(video.context)
  await video.addUser('ann', true)
  await addRows(video.context.store)
  await video.site.start()
  await video.site.untilRepaired()
  await recordMinute(video.site)
  return { ...video, routes }
}

test('no call goes through a table that grows with time or with cameras', async () => {
  const { context, ask, site, routes } = await openSite()
  const { store, sessions } = context
  const asked = recordQueries(store)
  const refused = new Set<string>()
  const call = async (login: string, route: Route) => {
    const name = nameOf(route)
    for (const query of queries[name] ?? ['']) {
      const { secret } = await sessions.open(login, { userAgent: '', ip: '192.0.2.1' })
      const body = bodies[name]
      const { status } = await ask(route.method, `${pathOf(route.url)}${query}`, {
        cookie: `session=${secret}`,
        ...(body === undefined ? {} : { body }),
      })
      if (status >= 400) refused.add(name)
    }
  }
  const due = methods.flatMap((method) => routes.filter((route) => route.method === method))
  const askable = due.filter((route) => !unasked.includes(nameOf(route)))
  for (const route of askable) if (route.method === 'GET' && !route.isForAdministrators) await call('owner', route)
  for (const route of askable) if (!last.includes(nameOf(route))) await call('ann', route)
  for (const name of last) for (const route of askable) if (nameOf(route) === name) await call('ann', route)
  await site.purge(new AbortController().signal)
  // What is asked once an export is made, and by calls that take a mail server, or an authenticator.
  await createExportStore(store).usedBytes()
  const codes = await createResetCodes(store, Buffer.alloc(32), context.now)
  const code = await codes.make('ann@example.org')
  await codes.check('ann@example.org', 'wrong')
  await codes.use('ann@example.org', code)
  const challenges = createChallenges(store, Buffer.alloc(32), context.now)
  const purpose = { ceremony: 'sign-in', session: '', host: 'localhost' } as const
  await challenges.spend(challenges.begin(purpose).sealed, purpose)

  const db = openDatabase(join(context.dataDir, 'sightline.db'), true)
  onTestFinished(() => db.close())
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const tables = new Set(names.map(({ name }) => String(name)))
  const statements = asked().map((sql) => sql.replaceAll(/\s+/g, ' '))
  const faults = statements
    .filter((sql) => !aboutAll.some(([known]) => known.test(sql)))
    .flatMap((sql) => scansOf(db, tables, sql).map((detail) => `${sql}: ${detail}`))
  const unused = aboutAll.filter(([known]) => !statements.some((sql) => known.test(sql)))
  expect({ faults, unused }).toEqual({ faults: [], unused: [] })
  expect([...refused].toSorted()).toEqual(refusing.toSorted())
})
