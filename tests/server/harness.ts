import { argon2Sync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildServer, type ServerOptions } from '../../server/app.ts'
import type { ServerContext } from '../../server/context.ts'
import type { App } from '../../server/http/fastify.ts'
import { builtInValues } from '../../server/configuration/values.ts'
import { bucketOf } from './bucket.ts'
import { databaseOf } from './database.ts'
import { connectHere } from './local-connection.ts'

/** For tests of all health warnings, as the disk of the machine may be nearly full. */
export const withoutDiskWarning = { ...builtInValues, storage: { ...builtInValues.storage, diskWarningPercent: 100 } }

export const start = Date.parse('2026-11-21T08:00:00.000Z')

type Answer = { status: number; body: unknown; headers: Record<string, unknown>; cookie: string | undefined }
type Ask = { body?: unknown; cookie?: string | undefined; headers?: Record<string, string>; ip?: string }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Harness = {
  app: App
  context: ServerContext
  /** Moves the server's clock. */
  wait: (ms: number) => void
  /** A call as the console makes it: same origin, JSON. Background writes are finished when it returns. */
  ask: (method: Method, url: string, ask?: Ask) => Promise<Answer>
  addUser: (login: string, isAdmin?: boolean, change?: { maxStreamCreation?: number }) => Promise<void>
  /** Signs in with the password of `addUser` and returns the cookie header. */
  signIn: (login: string) => Promise<string>
  addStream: (uid: string, owner?: string | null) => Promise<void>
}

/** The features of a server without cameras, with any licence. */
export const features = [
  'audit',
  'bookmarks',
  'configuration-history',
  'groups',
  'mosaic',
  'passkeys',
  'plans',
  'support-bundle',
  'token-revocation',
  'totp',
  'user-passkeys',
  'user-tokens',
]

export const password = 'correct horse 7'
/** The cheapest argon2id, as tests verify it thousands of times. */
const cheapCost = { memory: 8, passes: 1, parallelism: 1 }
const salt = Buffer.alloc(16)
const cheapTag = argon2Sync('argon2id', { ...cheapCost, message: password, nonce: salt, tagLength: 32 })
const cheapHash = `$argon2id$v=19$m=8,t=1,p=1$${salt.toString('base64')}$${cheapTag.toString('base64')}`

export const startServer = async (options: Partial<ServerOptions> = {}): Promise<Harness> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  let time = start
  let context: ServerContext | undefined
  const app = await buildServer({
    dataDir,
    distDir: join(dataDir, 'dist'),
    now: () => time,
    connect: connectHere,
    // Not if the test gives a connection, as it tests that file.
    ...(options.connect === undefined ? await databaseOf(options.dataDir ?? dataDir) : {}),
    ...bucketOf(options.dataDir ?? dataDir),
    ...options,
    plugins: [
      ...(options.plugins ?? []),
      (_app, given) => {
        context = given
      },
    ],
  })
  onTestFinished(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  if (context === undefined) throw new Error('no context')
  const { store, backgroundWrites, accounts } = context

  const ask: Harness['ask'] = async (method, url, { body, cookie, headers, ip } = {}) => {
    const reply = await app.inject({
      method,
      url,
      remoteAddress: ip ?? '192.0.2.1',
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    await backgroundWrites.written()
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    const [set] = reply.cookies
    return {
      status: reply.statusCode,
      body: isJson ? reply.json() : reply.body,
      headers: reply.headers,
      cookie: set === undefined ? undefined : `${set.name}=${set.value}`,
    }
  }

  return {
    app,
    context,
    ask,
    wait: (ms) => {
      time += ms
    },
    addUser: async (login, isAdmin = false, change = {}) => {
      await accounts.create({
        login,
        email: '',
        fullName: '',
        language: '',
        isAdmin,
        maxStreamCreation: -1,
        isManaged: false,
        isBlocked: false,
        passwordHash: cheapHash,
        mustChangePassword: false,
        ...change,
      })
    },
    signIn: async (login) => {
      const { cookie } = await ask('POST', '/v1/sign-in', { body: { name: login, password } })
      if (cookie === undefined) throw new Error(`${login} could not sign in`)
      return cookie
    },
    addStream: async (uid, owner = null) => {
      await store.run(
        `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
           is_paused, owner, created_at, needle) VALUES (?, ?, '', '[]', '', '', 0, 0, 0, 1, ?, 0, '')`,
        uid,
        `name of ${uid}`,
        owner,
      )
    },
  }
}
