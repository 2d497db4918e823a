import { fork, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { sandbox } from '../media/sandbox.ts'
import type { HostListener, HostLink, PoolOptions } from './pool.ts'
import { FromWorker, type ToWorker } from './worker-messages.ts'

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
/** The streams of one worker. */
const maxStreams = 24
/** V8's heap in a worker. The buffers with video lie outside of it; `maxBytes` limits the whole process. */
const maxHeapMegabytes = 384
const maxBytes = 1.5 * 1024 ** 3
/** A worker that leaves so many pings unanswered hangs, and is killed. It gets more time to load its program. */
const maxUnanswered = 6
const maxUnansweredAtStart = 24
/** A worker that was closed is killed if it hasn't ended by then. */
const endWithinMs = 5000

/** A detached process leads a group, which its ffmpeg processes are in. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

/** Workers load what this process loads before its program (`node --import`). */
const imports = process.execArgv.flatMap((each, index) =>
  each === '--import' ? [each, process.execArgv[index + 1] ?? ''] : [],
)

const { NODE_COMPILE_CACHE: cache } = process.env
const environment = {
  PATH: process.env['PATH'] ?? '',
  // Each stream waits for one or two calls to its disk: those to a disk that hangs leave threads for the others.
  UV_THREADPOOL_SIZE: '64',
  // Absolute, as workers have another working directory.
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: resolve(cache) }),
}

const startWorker = (): ChildProcess =>
  fork(program, [], {
    cwd: '/',
    detached: true,
    serialization: 'advanced',
    execArgv: [...imports, '--no-warnings', `--max-old-space-size=${maxHeapMegabytes}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: environment,
  })

/** Starts an ingest host in a process of its own, which ends with this one. */
const connectWorker = (pingEveryMs: number, { onEvent, onEnd }: HostListener): HostLink => {
  const child = startWorker()
  let unanswered = maxUnanswered - maxUnansweredAtStart
  let isClosed = false
  let bytes = 0
  /** Two events end a worker: its process exits, and its channel, which may still have messages, is closed. */
  let endsAwaited = 2
  let killTimer: NodeJS.Timeout | undefined

  const post = (message: ToWorker): void => {
    // Without a channel the process has ended or was never started, which other events report. So does an error.
    if (child.connected) child.send(message, () => undefined)
  }
  const kill = guarded('ingest: kill', () => killGroup(child))
  const handleEnd = guarded('ingest: end', () => {
    endsAwaited -= 1
    if (endsAwaited > 0) return
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

  const handleMessage = (message: unknown): void => {
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

  child.on('message', guarded('ingest: message', handleMessage))
  child.once('disconnect', handleEnd)
  child.once(
    'exit',
    guarded('ingest: exit', () => {
      clearTimeout(killTimer)
      kill()
      handleEnd()
    }),
  )
  child.on(
    'error',
    guarded('ingest: not started', () => {
      if (child.pid !== undefined) return
      endsAwaited = 1
      handleEnd()
    }),
  )
  // The worker loads its program while this process finds the sandbox.
  const { groups, ...box } = sandbox()
  post({ kind: 'begin', sandbox: { ...box, group: groups?.cameras } })

  return {
    send: (command) => post({ kind: 'command', command }),
    process: () => ({ pid: child.pid, bytes }),
    setClockAhead: (aheadMs) => post({ kind: 'clock', aheadMs }),
    close: () => {
      isClosed = true
      if (child.connected) child.disconnect()
      killTimer = setTimeout(kill, endWithinMs)
    },
  }
}

/** The options of a pool whose hosts are workers, processes beside that of HTTP. */
export const ingestWorkers = ({ pingEveryMs = 5000 } = {}): PoolOptions => ({
  connect: (listener) => connectWorker(pingEveryMs, listener),
  maxStreams,
  hasSpare: true,
})
