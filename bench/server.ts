import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { build } from 'vite'

export interface Server {
  address: string
  login: string
  password: string
  /** Null for a server that this bench didn't start. */
  pid: number | null
  stop(): Promise<void>
}

const administrator = { login: 'admin', password: 'bench, not a secret' }
const root = resolve(import.meta.dirname, '..')

interface Beginning {
  hasDemo?: boolean
  /** Fills the data folder before the server opens it. */
  seed?: (dataDir: string) => void | Promise<void>
  /** An existing data folder, which is kept. */
  dataDir?: string
  /** More environment variables. */
  env?: NodeJS.ProcessEnv
  /** The development server instead of the built console; it needs a port. */
  program?: 'server/main.ts' | 'scripts/dev.ts'
  port?: number
  /** Whether Ctrl-C also ends the server. */
  isOfTerminal?: boolean
}

/** Builds the console and starts the embedded server on a free port, with a temporary data folder. */
export async function startServer(
  isBuilt: boolean,
  {
    hasDemo = true,
    seed,
    dataDir: given,
    env = {},
    program = 'server/main.ts',
    port = 0,
    isOfTerminal = true,
  }: Beginning = {},
): Promise<Server> {
  if (!isBuilt) await build({ root, logLevel: 'error' })
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const removeData = () => {
    if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  await seed?.(dataDir)
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      program,
      '--port',
      String(port),
      '--data-dir',
      dataDir,
      ...(hasDemo ? [] : ['--no-demo']),
    ],
    {
      cwd: root,
      detached: !isOfTerminal,
      env: {
        ...process.env,
        ADMIN_LOGIN: administrator.login,
        ADMIN_PASSWORD: administrator.password,
        MOTION_INDEX: 'off',
        SETTING_LIMITS_PROCESSOR_MAX_PERCENT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const gone = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    removeData()
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /(https?:\S+)\/ui\//.exec(line)?.[1]
    if (address !== undefined) {
      child.stdout.resume()
      return { ...administrator, address, pid: child.pid ?? null, stop }
    }
  }
  removeData()
  throw new Error('the server did not start')
}

/** Reads the answer of a GET as the administrator. */
export type Read = <T>(path: string) => Promise<T>

/** Signs in as the administrator; returns the cookie. */
export async function signIn({
  address,
  login,
  password,
}: Pick<Server, 'address' | 'login' | 'password'>): Promise<string> {
  const signedIn = await fetch(`${address}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ name: login, password }),
  })
  if (!signedIn.ok) throw new Error(`signing in was refused with ${signedIn.status}`)
  return signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

export async function openReadSession(server: Pick<Server, 'address' | 'login' | 'password'>): Promise<Read> {
  const { address } = server
  const cookie = await signIn(server)
  return async (path) => {
    const response = await fetch(`${address}${path}`, { headers: { cookie } })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }
}

export type Call = (method: string, path: string, body?: object) => Promise<Response>

/** Makes calls as the console does, as the administrator. */
export async function openCallSession(server: Pick<Server, 'address' | 'login' | 'password'>): Promise<Call> {
  const { address } = server
  const cookie = await signIn(server)
  return async (method, path, body) => {
    const reply = await fetch(`${address}${path}`, {
      method,
      headers: { origin: address, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}`)
    return reply
  }
}

/** A recorded range, in epoch milliseconds. */
export interface RecordedRange {
  from: number
  to: number
}

interface Ranges {
  period: { endTime: string }
  ranges: { date: string; status: number }[]
}

const hour = 3_600_000

/**
 * The recorded ranges of a stream in the last hours, without the last minute; the demo cameras start with six hours.
 */
export async function recordedOf(ask: Read, uid: string, hours = 6): Promise<RecordedRange[]> {
  const now = Date.now()
  const found: RecordedRange[] = []
  for (let start = now - hours * hour; start < now; start += 2 * hour) {
    const query = new URLSearchParams({
      start_time: new Date(start).toISOString(),
      end_time: new Date(Math.min(start + 2 * hour, now - 60_000)).toISOString(),
    })
    const { period, ranges } = await ask<Ranges>(`/v1/stream/${uid}/archive/ranges?${query}`)
    for (const [index, { date, status }] of ranges.entries()) {
      if (status === 0) continue
      const [from, to] = [Date.parse(date), Date.parse(ranges[index + 1]?.date ?? period.endTime)]
      const last = found.at(-1)
      if (last !== undefined && from - last.to < 1000) last.to = to
      else found.push({ from, to })
    }
  }
  return found
}

interface Stream {
  uid: string
  name: string
  status: string
}

const enoughHours = 5.4

/** Waits for the demo archives of all cameras, as making them slows everything down; returns the stream's uid. */
export async function waitForDemo(ask: Read, name: string): Promise<string> {
  const deadline = performance.now() + 15 * 60_000
  for (;;) {
    const { items } = await ask<{ items: Stream[] }>('/v1/streams?page=1')
    const recording = items.filter(({ status }) => status !== 'failed')
    const lengths = await Promise.all(
      recording.map(
        async ({ uid }) => (await recordedOf(ask, uid, 12)).reduce((sum, { from, to }) => sum + to - from, 0) / hour,
      ),
    )
    const stream = items.find((item) => item.name === name)
    if (stream !== undefined && lengths.length > 0 && lengths.every((length) => length > enoughHours)) return stream.uid
    if (performance.now() > deadline)
      throw new Error(`the demo archive did not come: ${lengths.map((length) => length.toFixed(1)).join(', ')} hours`)
    await after(3000)
  }
}
