import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeChunk } from '../../server/archive/repair/write-chunk.ts'
import { newRunKey, runOf } from '../../server/archive/format/run.ts'
import { buildServer } from '../../server/app.ts'
import { builtInValues, ConfigurationValues } from '../../server/configuration/values.ts'
import type { ServerContext } from '../../server/context.ts'
import type { App } from '../../server/http/fastify.ts'
import { createComposer } from '../../server/demo/composer.ts'
import { scenes } from '../../server/demo/scenes.ts'
import { drawStills } from '../../server/demo/stills.ts'
import { portOf } from '../../server/start.ts'
import { createStreamsPlugin } from '../../server/streams/plugin.ts'
import type { Site } from '../../server/streams/site.ts'
import { hashPassword } from '../../server/users/password.ts'
import { row } from '../../tests/server/fixtures/paused-stream.ts'
import type { FuzzedRoute } from './cases.ts'
import type { Known } from './values.ts'

export const password = 'correct horse 7'

const people = [
  { login: 'user', isAdmin: false, maxStreamCreation: -1 },
  { login: 'viewer', isAdmin: false, maxStreamCreation: 0 },
  { login: 'owner', isAdmin: false, maxStreamCreation: 0 },
  { login: 'administrator', isAdmin: true, maxStreamCreation: -1 },
]

export type Caller = 'nobody' | 'share' | 'user' | 'viewer' | 'owner' | 'administrator'

export type FuzzedServer = {
  app: App
  context: ServerContext
  dataDir: string
  port: number
  routes: FuzzedRoute[]
  known: Known
  /** The headers of authentication: the session cookie if `byCookie`, otherwise an API token. */
  headersOf: (caller: Caller, byCookie: boolean) => Promise<Record<string, string>>
  /** Restores what a call has changed: users, rights, streams and their archive, mosaics, settings. */
  repair: () => Promise<void>
  close: () => Promise<void>
}

const tags = ['a']
const rows = [
  { ...row, tags, uid: 's1', name: 'Door', source: 'rtsp://ann:secret@127.0.0.1:9/live', owner: 'owner' },
  { ...row, tags, uid: 's2', name: 'Yard', source: 'demo:yard' },
]
const recordedFrom = Date.parse('2026-11-21T07:00:00.000Z')
const segmentCount = 30

/** Two recorded minutes of s1, encoded once and written again after a call has deleted them. */
const createTape = async (site: Site) => {
  const scene = scenes.get('gate')
  if (scene === undefined) throw new Error('no scene')
  const stills = await drawStills(scene, recordedFrom / 1000, new AbortController().signal)
  const { fragment } = createComposer(scene, stills)
  const pieces = Array.from({ length: segmentCount }, (_, at) => fragment(recordedFrom / 1000 + at * 2, 2, at * 2))
  return async () => {
    const { recording } = await site.index.open('s1')
    const run = runOf(site.runId(), newRunKey(), stills.init)
    const segments = pieces.map((bytes, at) => {
      const start = recordedFrom + at * 2000
      return { start, finish: start + 2000, duration: 2, mediaStart: at * 2, bytes: bytes.length }
    })
    await writeChunk({ ...site, uid: 's1' }, { recording, run, segments, contents: pieces })
  }
}

/** Useful values that the schemas of routes don't give. */
const finerBodies: Readonly<Record<string, unknown>> = {
  'PUT /v1/admin/configuration': z.object({ values: z.partial(ConfigurationValues) }),
}

const known: Known = {
  uid: ['s1', 's1', 's2', 'nothing'],
  streamId: ['s1', 's2'],
  stream_id: ['s1', 's2'],
  streamUid: ['s1', 's2', ''],
  login: ['user', 'owner', 'administrator', 'OWNER'],
  id: ['x', 'b1', 'local', 'nothing'],
  name: [
    `${recordedFrom}.m4s`,
    `${recordedFrom + 2000}.m4s`,
    '1.mp4',
    '0.m4s',
    '9999999999999999.m4s',
    '9999999999999999.mp4',
  ],
  url: [
    'demo:gate',
    'demo:',
    'rtsp://127.0.0.1:9/x',
    'http://localhost:9/x',
    'https://[::1]:9/',
    'http://[::ffff:127.0.0.1]/',
    'rtsp://***@127.0.0.1:9/live',
    'http://0x7f.1/',
    'http://a:b@169.254.169.254/',
  ],
  streamSource: [
    'demo:gate',
    'demo:nothing',
    'rtsp://192.0.2.1/x',
    'rtsp://ann:b%40c@192.0.2.1:8554/x?y=z',
    'rtsp://***@127.0.0.1:9/other',
    'http://localhost/',
  ],
  timezone: ['UTC', 'Europe/Berlin', 'Pacific/Apia', 'Etc/GMT+12', 'Nowhere/Else', '+05:30'],
  password: [password, 'another long one 8', 'short'],
  oldPassword: [password, 'wrong'],
  silent: ['1'],
  location: ['default', 'elsewhere'],
  query: ['door', ''],
  page: ['1', '2', '0', '-1', '999999999'],
  purge: ['true', 'false', '1'],
  extend_lease: ['true'],
}

/**
 * The whole server with a new data folder, listening on loopback, with users, two streams, an archive, a mosaic and a
 * bookmark.
 */
export const openFuzzed = async (): Promise<FuzzedServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-fuzz-'))
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-fuzz-dist-'))
  mkdirSync(join(distDir, 'assets'), { recursive: true })
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(distDir, 'assets', 'main.js'), 'let plain')
  const routes: FuzzedRoute[] = []
  const sites: Site[] = []
  const contexts: ServerContext[] = []
  const app = await buildServer({
    dataDir,
    distDir,
    tunnelCommand: ['true', '{port}', '{location}'],
    beforeRoutes: (building) => {
      building.addHook('onRoute', ({ method, url, schema }) => {
        for (const one of [method].flat()) {
          const { params, querystring, body } = schema ?? {}
          routes.push({ method: one, url, params, querystring, body: finerBodies[`${one} ${url}`] ?? body })
        }
      })
    },
    plugins: [
      (_app, given) => void contexts.push(given),
      createStreamsPlugin({ allowLoopback: false, onSite: (made) => sites.push(made) }),
    ],
  })
  const [context] = contexts
  const [site] = sites
  if (context === undefined || site === undefined) throw new Error('no server')
  const { store, accounts, tokens, sessions, shares, configuration, cluster } = context
  const passwordHash = await hashPassword(password)
  const record = await createTape(site)

  const repairPeople = async (): Promise<void> => {
    for (const { login, isAdmin, maxStreamCreation } of people) {
      const wanted = {
        login,
        isAdmin,
        maxStreamCreation,
        email: `${login}@example.org`,
        fullName: '',
        language: '',
        isBlocked: false,
        mustChangePassword: false,
        passwordHash,
      }
      await store.run('DELETE FROM users WHERE email = ? AND login <> ?', wanted.email, login)
      if ((await accounts.find(login)) === undefined) await accounts.create({ ...wanted, isManaged: false })
      else await accounts.change(login, wanted)
    }
    for (const { login } of await accounts.all())
      if (!people.some((one) => one.login === login)) await store.run('DELETE FROM users WHERE login = ?', login)
  }

  const repair = async (): Promise<void> => {
    await repairPeople()
    // Only here a uid is used again.
    await site.purge(new AbortController().signal)
    for (const { uid } of site.store.all()) if (!rows.some((one) => one.uid === uid)) await site.remove(uid, true)
    for (const one of rows) {
      if (site.store.find(one.uid) === undefined) await site.add(one)
      else await site.change(one.uid, () => one)
    }
    if ((await site.index.period('s1')) === undefined) await record()
    const statements = [
      'DELETE FROM stream_permissions',
      "INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES ('viewer', 's1', 1, 1, 0)",
      'DELETE FROM mosaics',
      "INSERT INTO mosaics (id, name, owner, columns, rows, cells, created_at) VALUES ('x', 'Doors', 'owner', 1, 1, '[]', 0)",
      'DELETE FROM bookmarks',
      `INSERT INTO bookmarks (id, login, uid, time, note) VALUES ('b1', 'owner', 's1', ${recordedFrom}, '')`,
    ]
    for (const statement of statements) await store.run(statement)
    await configuration.save(builtInValues, '')
    await cluster.setDrained(cluster.nodeId, false)
  }

  const secrets = new Map<Caller, { token: string; session: string }>()
  const secretsOf = async (login: Exclude<Caller, 'nobody' | 'share'>) => {
    const have = secrets.get(login)
    if (
      have !== undefined &&
      (await tokens.find(have.token))?.login === login &&
      (await sessions.find(have.session, '127.0.0.1'))?.login === login
    )
      return have
    await store.run('DELETE FROM api_tokens WHERE login = ?', login)
    const made = {
      token: (await tokens.create(login, 'fuzz', null)).token,
      session: (await sessions.open(login, { userAgent: '', ip: '127.0.0.1' })).secret,
    }
    secrets.set(login, made)
    return made
  }

  await repair()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(app)
  const origin = `http://127.0.0.1:${port}`
  return {
    app,
    context,
    dataDir,
    port,
    routes,
    known,
    repair,
    headersOf: async (caller, byCookie) => {
      if (caller === 'nobody') return { origin }
      if (caller === 'share') return { origin, 'share-token': await shares.open('s1') }
      const { token, session } = await secretsOf(caller)
      return byCookie ? { origin, cookie: `session=${session}` } : { authorization: `Bearer ${token}` }
    },
    close: async () => {
      await app.close()
      for (const folder of [dataDir, distDir]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
