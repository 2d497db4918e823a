import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { atEnd } from './endings.ts'
import type { Space } from './space.ts'

const root = resolve(import.meta.dirname, '../..')
export const administrator = { login: 'admin', password: 'besieged, not a secret' } as const

/** A module of this folder that is loaded before the server, with the file that it reads or writes. */
type Preload = { module: string; file: string }

export type TargetOptions = {
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** The data folder; by default a temporary one. */
  dataDir?: string
  preload?: Preload
  hasAdministrator?: boolean
}

/** The embedded server under attack, as a separate process. */
export type Target = {
  origin: () => string
  dataDir: string
  pid: () => number
  /** The unexpected exits, with the last lines of stderr. */
  ends: readonly string[]
  isUp: () => boolean
  /** The server's stderr. */
  complaints: () => string
  /** Starts the server again on the same port with the same data. */
  start: () => Promise<void>
  /** Kills the server, and removes its data folder if it is temporary. */
  dispose: () => void
  /** Stops the server; with `isKilled` by SIGKILL. */
  stop: (isKilled?: boolean) => Promise<void>
}

const startMs = 60_000
const complaintsKept = 100_000

/** The line with the error in stderr. */
const gistOf = (complaints: string): string =>
  complaints
    .split('\n')
    .findLast((line) => /^\s*(?:\w*Error|TypeError)\b|code: '/.test(line))
    ?.trim() ??
  complaints.trim().split('\n').at(-1) ??
  ''

/** The URL of a preloaded module with its file as a query, as worker threads load it without the environment. */
const addressOf = ({ module, file }: Preload): string => {
  const address = pathToFileURL(join(import.meta.dirname, module))
  address.searchParams.set('file', file)
  return address.href
}

/** Starts a server that listens on the server's host of the space. */
export const startTarget = async (space: Space, options: TargetOptions = {}): Promise<Target> => {
  const { args = ['--no-demo'], env = {}, preload, hasAdministrator = true } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sightline-attack-'))
  const ends: string[] = []
  let child: ChildProcess | undefined
  let isAsked = false
  let output = ''
  let address = ''

  const start = async (): Promise<void> => {
    isAsked = false
    const preloaded = preload === undefined ? [] : ['--import', addressOf(preload)]
    const command = [
      ...space.beside,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ...preloaded,
      'server/main.ts',
      '--host',
      space.serverHost,
    ]
    const [program = '', ...rest] = [
      ...command,
      '--port',
      address === '' ? '0' : new URL(address).port,
      '--data-dir',
      dataDir,
      ...args,
    ]
    const started = spawn(program, rest, {
      cwd: root,
      env: {
        ...process.env,
        ...(hasAdministrator ? { ADMIN_LOGIN: administrator.login, ADMIN_PASSWORD: administrator.password } : {}),
        ...(space.isIsolated ? {} : { ALLOW_LOOPBACK_SOURCES: '1' }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    // The server has priority over its attackers, which would be on other machines.
    if (process.getuid?.() === 0) setPriority(started.pid ?? 0, constants.priority.PRIORITY_NORMAL)
    const from = output.length
    started.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-complaintsKept)
    })
    started.once('exit', (code, signal) => {
      if (!isAsked) ends.push(`${signal ?? `exit ${code}`}: ${gistOf(output.slice(from)).slice(0, 200)}`)
    })
    const limit = AbortSignal.timeout(startMs)
    const gone = once(started, 'exit', { signal: limit }).then(() => {
      throw new Error(`the server did not start: ${output.slice(-1000)}`)
    })
    for (let output = ''; ;) {
      const [chunk] = await Promise.race([once(started.stdout, 'data', { signal: limit }), gone])
      output += String(chunk)
      const found = /(https?:\/\/\S+)\/ui\//.exec(output)?.[1]
      if (found === undefined) continue
      address = found
      break
    }
    gone.catch(() => undefined)
    started.stdout.resume()
  }

  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const stop = async (isKilled = false): Promise<void> => {
    const running = child
    if (running === undefined || !isUp()) return
    isAsked = true
    const exited = once(running, 'exit')
    running.kill(isKilled ? 'SIGKILL' : 'SIGTERM')
    await exited
  }
  const dispose = atEnd(() => {
    isAsked = true
    child?.kill('SIGKILL')
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  await start()
  return {
    origin: () => address,
    dataDir,
    pid: () => child?.pid ?? 0,
    ends,
    isUp,
    complaints: () => output,
    start,
    stop,
    dispose,
  }
}

/** The resident memory of a process, in megabytes. */
export const residentMb = (pid: number): number => {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
