import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import type { FastifyBaseLogger } from 'fastify'
import type { ConfigurationValues } from '../configuration/values.ts'
import type { Tunnel as State } from '../../src/api/contract/system.ts'
import { guarded } from '../guarded.ts'
import { hostNameOf } from '../http/hosts.ts'
import { actionNotAcceptable } from '../http/api-error.ts'
import { maskSecrets } from '../http/log.ts'

export type TunnelOptions = {
  /** `{port}` and `{location}` are replaced. From the deployment, never a visitor: it is run as it is. */
  command: readonly string[]
  port: () => number
  settings: () => ConfigurationValues['tunnel']
  log: FastifyBaseLogger
  /** Limit until the tunnel prints its address, or answers at the configured one, and the interval of tries. */
  patienceMs?: number
  tryMs?: number
}

export type Tunnel = {
  state: () => State
  names: () => readonly string[]
  /** Throws 409 if one is running. */
  start: (location: string) => void
  /** Resolves when the program and its children have ended. */
  stop: () => Promise<void>
}

const stopped: State = { status: 'stopped', url: '', location: '', failureReason: '' }
const killAfterMs = 3000
const answerWithinMs = 5000
const lastWordsWithinMs = 500
const maxLineLength = 2000
const findWithinMs = 500
const passedOn = ['PATH', 'HOME', 'LANG', 'SSH_AUTH_SOCK', 'TMPDIR']

const signalGroup = ({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // Already gone.
  }
}

/** Whether a server answers through the tunnel; a front without a tunnel behind it answers 502 or similar. */
const doesAnswer = async (address: string, signal: AbortSignal): Promise<boolean> => {
  const health = URL.parse('/v1/system/health', address)
  if (health === null) return false
  try {
    const { ok, body } = await fetch(health, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}

const onLine = (stream: Readable, take: (line: string) => void): void => {
  let begun = ''
  const readText = (text: string) => {
    const lines = (begun + text).split('\n')
    begun = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) take(line.slice(0, maxLineLength))
  }
  stream.setEncoding('utf8')
  stream.on('data', guarded('tunnel: output', readText))
  stream.once(
    'end',
    guarded('tunnel: output', () => readText('\n')),
  )
  stream.on('error', () => undefined)
}

/** The match of an administrator's expression in a line; null after its time limit, as it may backtrack forever. */
const createFinder = (pattern: RegExp): ((line: string) => string | undefined | null) => {
  const scope = createContext({ pattern, line: '' })
  const script = new Script('pattern.exec(line)?.[0]')
  return (line) => {
    scope['line'] = line
    try {
      const found: unknown = script.runInContext(scope, { timeout: findWithinMs })
      return typeof found === 'string' ? found : undefined
    } catch {
      return null
    }
  }
}

export const createTunnel = (options: TunnelOptions): Tunnel => {
  const { command, settings, log, patienceMs = 30_000, tryMs = 1000 } = options
  let state: State = stopped
  let child: ChildProcess | undefined
  let outside = ''
  let ended: Promise<void> = Promise.resolve()

  const run = (location: string): Promise<void> => {
    const fill = (text: string): string =>
      text.replaceAll('{port}', String(options.port())).replaceAll('{location}', location)
    const { url, urlPattern } = settings()
    const [program = '', ...args] = command.map(fill)
    const find = url === '' ? createFinder(new RegExp(urlPattern, 'u')) : undefined
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.includes(name)))
    // Detached: leads its own process group, which can be killed as a whole.
    const own = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
    const endGroup = guarded('tunnel: end', () => signalGroup(own, 'SIGKILL'))
    process.once('exit', endGroup)
    let lastWords = ''
    child = own
    outside = url === '' ? '' : fill(url)
    state = { status: 'starting', url: '', location, failureReason: '' }

    const hold = (address: string): void => {
      if (child !== own || state.status !== 'starting') return
      outside = address
      state = { ...state, status: 'running', url: address }
      log.info({ url: address }, 'tunnel running')
    }
    const fail = (failureReason: string): void => {
      if (child !== own) return
      child = undefined
      state = { ...state, status: 'failed', url: '', failureReason }
      log.warn({ reason: failureReason }, 'tunnel failed')
    }

    const take = (raw: string) => {
      const line = maskSecrets(raw).trim()
      if (line !== '') lastWords = line
      log.info({ line }, 'tunnel')
      if (child !== own || state.status !== 'starting') return
      const found = find?.(raw)
      if (found === null) {
        fail('The expression for its address takes too long')
        endGroup()
      } else if (found !== undefined && /^https?:$/.test(URL.parse(found)?.protocol ?? '')) hold(found)
    }
    for (const stream of [own.stdout, own.stderr]) onLine(stream, take)

    const isOver = new AbortController()
    const giveUp = () => {
      if (state.status !== 'starting') return
      fail(url === '' ? 'It told no address' : `Nothing answered at ${fill(url)}`)
      endGroup()
    }
    const timer = setTimeout(guarded('tunnel: patience', giveUp, endGroup), patienceMs)
    /** A running program proves nothing: with a configured address, the tunnel is up once this server answers there. */
    const tryAddress = async (): Promise<void> => {
      while (state.status === 'starting' && !isOver.signal.aborted) {
        if (await doesAnswer(fill(url), isOver.signal)) hold(fill(url))
        else await pause(tryMs, undefined, { signal: isOver.signal }).catch(() => undefined)
      }
    }
    if (url !== '') guarded('tunnel: address', tryAddress, endGroup)()
    return new Promise((resolve) => {
      const leave = () => {
        endGroup()
        resolve()
        // A process that left the group may still hold the output open.
        const close = guarded('tunnel: output', () => {
          own.stdout.destroy()
          own.stderr.destroy()
        })
        setTimeout(close, lastWordsWithinMs).unref()
      }
      const close = (code: number | null, signal: NodeJS.Signals | null) => {
        process.off('exit', endGroup)
        clearTimeout(timer)
        isOver.abort()
        const how = code === null ? `It was ended by ${String(signal)}` : `It ended with code ${code}`
        fail(lastWords === '' ? how : `${how}: ${lastWords}`)
        resolve()
      }
      own.on(
        'error',
        guarded('tunnel: start', () => fail(`${program} could not be started`)),
      )
      own.on(
        'exit',
        guarded('tunnel: exit', leave, () => resolve()),
      )
      own.on(
        'close',
        guarded('tunnel: exit', close, () => resolve()),
      )
    })
  }

  return {
    state: () => state,
    names: () => {
      const name = child === undefined ? undefined : hostNameOf(URL.parse(outside)?.host ?? '')
      return name === undefined ? [] : [name]
    },
    start: (location) => {
      if (child !== undefined) throw actionNotAcceptable('There is a tunnel already')
      ended = run(location)
    },
    stop: async () => {
      const own = child
      child = undefined
      state = stopped
      if (own === undefined) return
      signalGroup(own, 'SIGTERM')
      const timer = setTimeout(
        guarded('tunnel: end', () => signalGroup(own, 'SIGKILL')),
        killAfterMs,
      )
      await ended
      clearTimeout(timer)
    },
  }
}
