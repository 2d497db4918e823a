import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { sandbox } from '../media/sandbox.ts'
import type { HostListener, HostLink, PoolOptions } from './pool.ts'
import { FromWorker, type ToWorker } from './worker-messages.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Cameras of one worker. */
const maxStreams = 24
/** Its own objects; what comes from cameras is beside them, and bounded by `maxBytes`. */
const maxHeapMegabytes = 384
const maxBytes = 1.5 * 1024 ** 3
/** Then something holds its loop, and all cameras of it; it takes longer to start. */
const maxUnanswered = 6
const maxUnansweredAtStart = 24
const endWithinMs = 5000

/** Every process that it started is in its group. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // None is left.
  }
}

/** Modules that this process preloads (`node --import`) are preloaded by its workers too. */
const preloaded = process.execArgv.flatMap((each, index) =>
  each === '--import' ? [each, process.execArgv[index + 1] ?? ''] : [],
)

const startWorker = (): ChildProcess =>
  fork(program, [], {
    cwd: '/',
    detached: true,
    serialization: 'advanced',
    execArgv: [...preloaded, '--no-warnings', `--max-old-space-size=${maxHeapMegabytes}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '' },
  })

/** An ingest host in a process of its own, which ends with this one. */
const connectWorker = (pingEveryMs: number, { onEvent, onEnd }: HostListener): HostLink => {
  const child = startWorker()
  let unanswered = maxUnanswered - maxUnansweredAtStart
  let isClosed = false
  let bytes = 0
  let openEnds = 2
  let ending: NodeJS.Timeout | undefined

  const post = (message: ToWorker): void => {
    // Its end is reported by events.
    child.send(message, () => undefined)
  }
  const kill = guarded('ingest: kill', () => killGroup(child))
  /** Both the process and what it had sent have come to their end. */
  const ended = guarded('ingest: end', () => {
    openEnds -= 1
    if (openEnds > 0) return
    clearInterval(watchdog)
    if (!isClosed) onEnd()
  })
  const watchdog = setInterval(
    guarded('ingest: watch', () => {
      if (unanswered >= maxUnanswered) kill()
      unanswered += 1
      post({ kind: 'ping' })
    }),
    pingEveryMs,
  )

  const take = (message: unknown): void => {
    const received = z.parse(FromWorker, message)
    switch (received.kind) {
      case 'event':
        return onEvent(received.event)
      case 'fault':
        return guarded(received.callback, () => {
          throw new Error(received.message)
        })()
      case 'pong':
        unanswered = 0
        bytes = received.bytes
        if (bytes > maxBytes) kill()
    }
  }

  child.on('message', guarded('ingest: message', take))
  child.once('disconnect', ended)
  child.once(
    'exit',
    guarded('ingest: exit', () => {
      clearTimeout(ending)
      kill()
      ended()
    }),
  )
  child.on(
    'error',
    guarded('ingest: not started', () => {
      if (child.pid !== undefined) return
      openEnds = 1
      ended()
    }),
  )
  post({ kind: 'begin', sandbox: sandbox() })

  return {
    send: (command) => post({ kind: 'command', command }),
    process: () => ({ pid: child.pid, bytes }),
    close: () => {
      isClosed = true
      if (child.connected) child.disconnect()
      ending = setTimeout(kill, endWithinMs)
    },
  }
}

/** Workers for cameras, beside the process of HTTP. */
export const ingestWorkers = ({ pingEveryMs = 5000 } = {}): PoolOptions => ({
  connect: (listener) => connectWorker(pingEveryMs, listener),
  maxStreams,
  hasSpare: true,
})
