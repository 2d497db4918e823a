import { Agent, request } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { caseOf, type Case } from './cases.ts'
import { isApiError, leaksInternals } from './api-errors.ts'
import { openFuzzed, password, type Caller, type FuzzedServer } from './server.ts'
import { createDice } from './values.ts'

/** An input with a wrong answer; `case` and `seed` repeat it. */
type Fault = {
  case: number
  caller: Caller
  method: string
  path: string
  headers: Record<string, string>
  body: string
  status: number
  why: string
}

export type Fuzzed = {
  cases: number
  /** How often each route was called, and each status answered. */
  routes: Map<string, number>
  statuses: Map<number, number>
  slowest: { ms: number; case: number; route: string }
  faults: Fault[]
}

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** Longer than any call may take: a live playlist waits eight seconds. */
const hangMs = 20_000

const send = (port: number, agent: Agent, { method, path, headers, body }: Case): Promise<Answer> =>
  new Promise((resolve, reject) => {
    // Node sends the body of a GET without its length, and the server would read it as the next call.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const call = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { ...headers, ...length },
        timeout: hangMs,
        signal: AbortSignal.timeout(hangMs),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        )
        response.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(body)
  })

const root = join(import.meta.dirname, '../..')
/** The fault of an answer; undefined without one. */
const wrongWith = (
  { status, headers, body }: Answer,
  { method, path }: Case,
  server: FuzzedServer,
): string | undefined => {
  if (status >= 500) return 'failed'
  if (headers['x-content-type-options'] !== 'nosniff' || headers['content-security-policy'] === undefined)
    return 'without its headers'
  // Administrators may see the paths of volumes.
  const isOfVolumes = path.startsWith('/v1/admin/retention') && status === 200
  const text = isOfVolumes ? body.replaceAll(JSON.stringify(join(server.dataDir, 'archive')), '') : body
  if (text.includes(server.dataDir) || text.includes(root)) return 'leaks a path of this machine'
  if (status < 400 || method === 'HEAD') return undefined
  // The console under a host name that isn't allowed answers a sentence (server/http/hosts.ts).
  const isSentence = status === 421 && !path.startsWith('/v1/')
  if (!isSentence && !isApiError(body)) return 'a refusal that is none of the contract'
  return leaksInternals(body) ? 'leaks its internals' : undefined
}

const callers: readonly [Caller, ...Caller[]] = [
  'administrator',
  'administrator',
  'administrator',
  'administrator',
  'owner',
  'owner',
  'user',
  'user',
  'viewer',
  'share',
  'nobody',
]

const membersOfAll = Reflect.ownKeys(Object.prototype).length

/** Damages of the server: answering, signing in, the database, the prototype of all objects. */
const healthOf = async ({ app, context }: FuzzedServer): Promise<string[]> => {
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({
      method,
      url,
      remoteAddress: '192.0.2.200',
      headers: { host: 'localhost', origin: 'http://localhost' },
      ...(payload === undefined ? {} : { payload }),
    })
  const health = await ask('GET', '/v1/system/health')
  const signedIn = await ask('POST', '/v1/sign-in', { name: 'owner', password })
  const integrity = JSON.stringify([
    await context.store.all(z.unknown(), 'PRAGMA integrity_check'),
    await context.store.all(z.unknown(), 'PRAGMA foreign_key_check'),
  ])
  return [
    ...(health.statusCode === 200 ? [] : [`health answers ${health.statusCode}`]),
    ...(signedIn.statusCode === 200 ? [] : [`signing in answers ${signedIn.statusCode}`]),
    ...(integrity === '[[{"integrity_check":"ok"}],[]]' ? [] : [`the database: ${integrity}`]),
    ...(Reflect.ownKeys(Object.prototype).length === membersOfAll ? [] : ['a prototype was changed']),
  ]
}

/** Sends `cases` odd inputs by the seed to the server's routes in turn, as random roles. */
export const fuzz = async (cases: number, seed: number, only?: number): Promise<Fuzzed> => {
  const server = await openFuzzed()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const result: Fuzzed = {
    cases,
    routes: new Map(),
    statuses: new Map(),
    slowest: { ms: 0, case: 0, route: '' },
    faults: [],
  }
  try {
    for (let index = 0; index < cases; index += 1) {
      if (only !== undefined && index !== only) continue
      const dice = createDice(Math.imul(seed, 1_000_003) + index)
      const route = server.routes[index % server.routes.length]
      if (route === undefined) throw new Error('no route')
      const caller = dice.pick(callers)
      const made = caseOf(route, server.known, dice)
      const sent = { ...made, headers: { ...(await server.headersOf(caller, dice.onceIn(2))), ...made.headers } }
      const beganAt = performance.now()
      const answer = await send(server.port, agent, sent).catch((error: unknown) => ({
        status: 0,
        headers: {},
        body: String(error),
      }))
      const ms = performance.now() - beganAt
      const name = `${route.method} ${route.url}`
      if (ms > result.slowest.ms) result.slowest = { ms, case: index, route: name }
      result.routes.set(name, (result.routes.get(name) ?? 0) + 1)
      result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1)
      const why = answer.status === 0 ? `no answer: ${answer.body}` : wrongWith(answer, sent, server)
      if (why !== undefined) {
        const { method, path, headers, body = '' } = sent
        result.faults.push({
          case: index,
          caller,
          method,
          path,
          headers,
          body: body.toString().slice(0, 500),
          status: answer.status,
          why: `${why}: ${answer.body.slice(0, 300)}`,
        })
      }
      if (answer.status < 400 && (route.method !== 'GET' || route.url.endsWith('/share'))) await server.repair()
    }
    for (const why of await healthOf(server)) {
      result.faults.push({ case: cases, caller: 'nobody', method: '', path: '', headers: {}, body: '', status: 0, why })
    }
  } finally {
    agent.destroy()
    await server.close()
  }
  return result
}
