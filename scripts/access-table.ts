import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { RouteAccess } from '../server/access/gate.ts'
import type { SharedRange } from '../server/access/shares.ts'
import { buildServer } from '../server/app.ts'
import type { ServerContext } from '../server/context.ts'
import type { App } from '../server/http/fastify.ts'
import { pluginsOf } from '../server/plugins.ts'

/** Who may call what: calls every registered route as every role, through the gate but not into the handler. */

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Route = {
  method: (typeof methods)[number]
  url: string
  access: RouteAccess | undefined
  beforeFirstAdministrator: boolean
  changes: boolean
}

type Opened = { app: App; context: ServerContext; routes: Route[]; close: () => Promise<void> }

const allowed = 299

/** The whole server with a new data folder; routes answer 299 to calls that pass the gate. */
export const openForWalking = async (): Promise<Opened> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-walk-'))
  const routes: Route[] = []
  let context: ServerContext | undefined
  const app = await buildServer({
    dataDir,
    distDir: dataDir,
    beforeRoutes: (building) => {
      building.addHook('onRoute', ({ method, url, config }) => {
        for (const name of [method].flat()) {
          if (name === 'HEAD') continue
          const one = methods.find((known) => known === name)
          if (one === undefined) throw new Error(`${name} ${url}: a method the walk doesn't know`)
          const { access, beforeFirstAdministrator = false, changes = false } = config ?? {}
          routes.push({ method: one, url, access, beforeFirstAdministrator, changes: changes || one !== 'GET' })
        }
      })
      building.addHook('preValidation', async (_request, reply) => reply.code(allowed).send())
    },
    plugins: [
      (_app, given) => {
        context = given
      },
      ...pluginsOf({}),
    ],
  })
  if (context === undefined) throw new Error('no context')
  const close = async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { app, context, routes, close }
}

/** `headers` is called for each call, as a share that was withdrawn must be opened again. */
type Identity = { name: string; headers: () => Promise<Record<string, string>> }

/**
 * Creates what is missing: the streams `s1` (of `owner`) and `s2`, a mosaic and an export of `owner`, a plan with `s1`,
 * and the rights of each role.
 */
export const addObjects = async ({ store }: Pick<ServerContext, 'store'>): Promise<void> => {
  await store.run(
    `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand, is_paused, owner, created_at, needle)
     VALUES ('s1', '', '', '[]', '', '', 0, 0, 0, 1, 'owner', 0, ''), ('s2', '', '', '[]', '', '', 0, 0, 0, 1, NULL, 0, '') ON CONFLICT DO NOTHING`,
  )
  await store.run(
    "INSERT INTO mosaics (id, name, owner, columns, rows, cells, created_at) VALUES ('x', '', 'owner', 1, 1, '[]', 0) ON CONFLICT DO NOTHING",
  )
  await store.run(
    `INSERT INTO exports (id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires)
     VALUES ('x', 'owner', 'owner', '', 0, 'failed', '', 0, '', 0, 4102444800000) ON CONFLICT DO NOTHING`,
  )
  await store.run(
    "INSERT INTO export_items (export, place, uid, name, start, finish) VALUES ('x', 0, 's1', '', 0, 1) ON CONFLICT DO NOTHING",
  )
  await store.run(
    "INSERT INTO plans (id, title, pixel_width, pixel_height, media_type, version) VALUES ('x', '', 0, 0, '', '') ON CONFLICT DO NOTHING",
  )
  await store.run("INSERT INTO plan_cameras (plan, uid, x, y) VALUES ('x', 's1', 0, 0) ON CONFLICT DO NOTHING")
  await store.run(
    `INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin, can_download)
     VALUES ('viewer', 's1', 1, 0, 0, 1), ('archive watcher', 's1', 1, 1, 0, 0), ('archive viewer', 's1', 1, 1, 0, 1),
       ('stream admin', 's1', 1, 1, 1, 1) ON CONFLICT DO NOTHING`,
  )
}

/** A caller for each role regarding the stream `s1`. */
export const addPeople = async (context: ServerContext): Promise<Identity[]> => {
  const { accounts, sessions, tokens, shares } = context
  const add = async (
    login: string,
    isAdmin: boolean,
    maxStreamCreation: number,
    mustChangePassword = false,
  ): Promise<Identity> => {
    await accounts.create({
      login,
      isAdmin,
      maxStreamCreation,
      email: '',
      fullName: '',
      language: '',
      isManaged: false,
      isBlocked: false,
      passwordHash: '',
      mustChangePassword,
    })
    const { secret } = await sessions.open(login, { userAgent: '', ip: '127.0.0.1' })
    return { name: login, headers: async () => ({ cookie: `session=${secret}` }) }
  }
  const users = [
    await add('read-only', false, 0),
    await add('user', false, -1),
    await add('viewer', false, 0),
    await add('archive watcher', false, 0),
    await add('archive viewer', false, 0),
    await add('stream admin', false, 0),
    await add('owner', false, 0),
    await add('administrator', true, 0),
    await add('new administrator', true, 0, true),
  ]
  const { token } = await tokens.create('administrator', 'walk', null)
  const share = async (range: SharedRange | null) => {
    const opened = await shares.open('s1')
    await shares.change('s1', { expireTime: null, passwordHash: '', range })
    return { 'share-token': opened }
  }
  await addObjects(context)
  return [
    { name: 'anonymous', headers: async () => ({}) },
    { name: 'share', headers: () => share(null) },
    { name: 'share of a range', headers: () => share({ from: 0, to: 1, hasLive: false }) },
    { name: 'other share', headers: async () => ({ 'share-token': await shares.open('s2') }) },
    ...users,
    { name: "administrator's token", headers: async () => ({ authorization: `Bearer ${token}` }) },
  ]
}

/** The paths of a route: with the stream s1, and without a stream if that is allowed. */
const addressesOf = ({ url, access }: Route): string[] => {
  const path = url.replace(':uid', 's1').replaceAll(/:\w+|\*/g, 'x')
  if (access === undefined || !('from' in access) || !access.from.startsWith('query.')) return [path]
  const query = `${path}?${access.from.slice('query.'.length)}=s1`
  return 'without' in access ? [query, path] : [query]
}

const head = `# Who may call what

Made by \`npm run access\` from the running server: every route, asked as every role, about a stream the role is named
for; a mosaic and an export are the owner's; a plan has that stream; the archive watcher may not download; the new administrator must change the password first. All but the last have a session.
\`yes\` is let through to the handler; a number is the refusal. A share opens live of one stream, a share of a range
that range of its archive, to which the handler limits its answer; \`other share\` is that of another stream.
A test fails where this page is stale.
`

/** The table as Markdown: one row for each route and path, one column for each role. */
export const accessTable = async (): Promise<string> => {
  const { app, context, routes, close } = await openForWalking()
  const roles = await addPeople(context)
  const rows: string[][] = []
  for (const route of routes) {
    for (const address of addressesOf(route)) {
      const cells: string[] = []
      for (const { headers } of roles) {
        const { statusCode } = await app.inject({
          method: route.method,
          url: address,
          headers: { host: 'localhost', origin: 'http://localhost', ...(await headers()) },
        })
        cells.push(statusCode === allowed ? 'yes' : String(statusCode))
      }
      rows.push([
        `${route.method} ${route.url}${address.includes('?') ? address.slice(address.indexOf('?')) : ''}`,
        ...cells,
      ])
    }
  }
  await close()
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const names = roles.map(({ name }) => name)
  const body = rows.toSorted(
    ([a = ''], [b = '']) => (a.split(' ')[1] ?? '').localeCompare(b.split(' ')[1] ?? '') || a.localeCompare(b),
  )
  return `${head}\n${line(['Call', ...names])}${line(['---', ...names.map(() => ':-:')])}${body.map(line).join('')}`
}

export const tableFile = join(import.meta.dirname, '../docs/access.md')

if (import.meta.main) {
  writeFileSync(tableFile, await accessTable())
  process.stdout.write(`${tableFile} written\n`)
}
