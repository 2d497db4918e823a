import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ConfigurationValues } from '../configuration/values.ts'
import type { Tunnel as State } from '../../src/api/contract/system.ts'
import { guarded } from '../guarded.ts'
import { hostNameOf } from '../http/hosts.ts'
import { actionNotAcceptable } from '../http/api-error.ts'
import { maskSecrets } from '../http/log.ts'
import { createFinder } from './finder.ts'

export type TunnelOptions = {
  /** Program and arguments; `{port}` and `{location}` are replaced. It runs unchecked: only the operator may set it. */
  command: readonly string[]
  port: () => number
  settings: () => ConfigurationValues['tunnel']
  log: FastifyBaseLogger
  /** How long the tunnel may take to print its address, or to answer at the configured one. */
  addressTimeoutMs?: number
  /** The interval of requests to the configured address. */
  retryMs?: number
}

export type Tunnel = {
  state: () => State
  /** The host name of the tunnel; empty if there is none. */
  names: () => readonly string[]
  /** Whether a program runs. It may let visitors in before its address is known, and until it has ended. */
  isOpen: () => boolean
  /** Throws 409 if a tunnel is running. */
  start: (location: string) => void
  /** Resolves when the program and its children have ended. */
  stop: () => Promise<void>
}

const stopped: State = { status: 'stopped', url: '', location: '', failureReason: '' }
const killAfterMs = 3000
const answerTimeoutMs = 5000
/** How long output is read after the program has ended. */
const lastOutputMs = 500
const maxLineLength = 2000
/** The variables of the server that the program gets. */
const inheritedVariables = ['PATH', 'HOME', 'LANG', 'SSH_AUTH_SOCK', 'TMPDIR']

const signalGroup = ({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // Already gone.
  }
}

/** Whether a server answers through the tunnel. Without a tunnel, the public end may answer 502 or similar. */
const doesAnswer = async (address: string, signal: AbortSignal): Promise<boolean> => {
  const health = URL.parse('/v1/system/health', address)
  if (health === null) return false
  try {
    const { ok, body } = await fetch(health, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}

/** Calls `handle` with each line of a stream, cut at `maxLineLength`. */
const onLine = (stream: Readable, handle: (line: string) => void): void => {
  let rest = ''
  const readText = (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) handle(line.slice(0, maxLineLength))
  }
  stream.setEncoding('utf8')
  stream.on('data', guarded('tunnel: output', readText))
  stream.once(
    'end',
    guarded('tunnel: output', () => readText('\n')),
  )
  stream.on('error', () => undefined)
}

export const createTunnel = (options: TunnelOptions): Tunnel => {
  const { command, settings, log, addressTimeoutMs = 30_000, retryMs = 1000 } = options
  let state: State = stopped
  let child: ChildProcess | undefined
  let address = ''
  let ended: Promise<void> = Promise.resolve()
  let programs = 0

  const run = (location: string): Promise<void> => {
    const fill = (text: string): string =>
      text.replaceAll('{port}', String(options.port())).replaceAll('{location}', location)
    const { url, urlPattern } = settings()
    const [program = '', ...args] = command.map(fill)
    const find = url === '' ? createFinder(new RegExp(urlPattern, 'u')) : undefined
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => inheritedVariables.includes(name)))
    // Detached: the program leads a process group, which can be killed as a whole.
    const own = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
    const endGroup = guarded('tunnel: end', () => signalGroup(own, 'SIGKILL'))
    process.once('exit', endGroup)
    let lastLine = ''
    child = own
    address = url === '' ? '' : fill(url)
    state = { status: 'starting', url: '', location, failureReason: '' }

    const setRunning = (found: string): void => {
      if (child !== own || state.status !== 'starting') return
      address = found
      state = { ...state, status: 'running', url: found }
      log.info({ url: found }, 'tunnel running')
    }
    const fail = (failureReason: string): void => {
      if (child !== own) return
      child = undefined
      state = { ...state, status: 'failed', url: '', failureReason }
      log.warn({ reason: failureReason }, 'tunnel failed')
    }

    const handleLine = (raw: string) => {
      const line = maskSecrets(raw).trim()
      if (line !== '') lastLine = line
      log.info({ line }, 'tunnel')
      if (child !== own || state.status !== 'starting') return
      const found = find?.(raw)
      if (found === null) {
        fail('The expression for its address takes too long')
        endGroup()
      } else if (found !== undefined && /^https?:$/.test(URL.parse(found)?.protocol ?? '')) setRunning(found)
    }
    for (const stream of [own.stdout, own.stderr]) onLine(stream, handleLine)

    const isOver = new AbortController()
    const giveUp = () => {
      if (state.status !== 'starting') return
      fail(url === '' ? 'It told no address' : `Nothing answered at ${fill(url)}`)
      endGroup()
    }
    const timer = setTimeout(guarded('tunnel: patience', giveUp, endGroup), addressTimeoutMs)
    /** With a configured address, the tunnel runs once this server answers there; a running program proves nothing. */
    const pollAddress = async (): Promise<void> => {
      while (state.status === 'starting' && !isOver.signal.aborted) {
        if (await doesAnswer(fill(url), isOver.signal)) setRunning(fill(url))
        else await pause(retryMs, undefined, { signal: isOver.signal }).catch(() => undefined)
      }
    }
    if (url !== '') guarded('tunnel: address', pollAddress, endGroup)()
    return new Promise((resolve) => {
      const handleExit = () => {
        endGroup()
        resolve()
        // A process that left the group may keep the output open.
        const closeOutput = guarded('tunnel: output', () => {
          own.stdout.destroy()
          own.stderr.destroy()
        })
        setTimeout(closeOutput, lastOutputMs).unref()
      }
      const handleClose = (code: number | null, signal: NodeJS.Signals | null) => {
        process.off('exit', endGroup)
        clearTimeout(timer)
        isOver.abort()
        const how = code === null ? `It was ended by ${String(signal)}` : `It ended with code ${code}`
        fail(lastLine === '' ? how : `${how}: ${lastLine}`)
        resolve()
      }
      own.on(
        'error',
        guarded('tunnel: start', () => fail(`${program} could not be started`)),
      )
      own.on(
        'exit',
        guarded('tunnel: exit', handleExit, () => resolve()),
      )
      own.on(
        'close',
        guarded('tunnel: exit', handleClose, () => resolve()),
      )
    })
  }

  return {
    state: () => state,
    names: () => {
      const name = child === undefined ? undefined : hostNameOf(URL.parse(address)?.host ?? '')
      return name === undefined ? [] : [name]
    },
    isOpen: () => programs > 0,
    start: (location) => {
      if (child !== undefined) throw actionNotAcceptable('There is a tunnel already')
      const end = run(location)
      programs += 1
      ended = end.finally(() => {
        programs -= 1
      })
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
