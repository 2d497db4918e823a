import { flushCompileCache } from 'node:module'
import * as z from 'zod/mini'
import { guarded, onFault } from '../guarded.ts'
import { openListener } from '../media/namespace.ts'
import { adoptSandbox } from '../media/sandbox.ts'
import { createIngestHost } from './host.ts'
import { ToWorker, type FromWorker } from './worker-messages.ts'

/** Messages that the server hasn't received: some minutes of all streams. With more, the worker ends. */
const maxUnsent = 50_000
let unsent = 0

/** Ends at once, without writing: the server seals the spools next, and nothing else may write to them then. */
const end = guarded('worker: end', () => process.exit(0))

const handleSent = guarded('worker: sent', () => {
  unsent -= 1
})

const send = (message: FromWorker): void => {
  unsent += 1
  if (unsent > maxUnsent || process.send === undefined) process.exit(1)
  process.send(message, undefined, undefined, handleSent)
}

onFault(({ callback, error }) =>
  send({ kind: 'fault', callback, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)

let clockAheadMs = 0
const host = createIngestHost({
  now: () => Date.now() - clockAheadMs,
  clockAheadMs: () => clockAheadMs,
  send: (event) => send({ kind: 'event', event }),
})

/** Opens a listener once, so that the network namespace of the gateways exists before a camera needs it. */
const begin = async ({ sandbox }: Extract<ToWorker, { kind: 'begin' }>): Promise<void> => {
  adoptSandbox({ isolation: undefined, user: undefined, ...sandbox })
  const { close } = await openListener()
  close()
  flushCompileCache()
}

const handle = (message: unknown): Promise<void> | void => {
  const request = z.parse(ToWorker, message)
  switch (request.kind) {
    case 'begin':
      return begin(request)
    case 'command':
      return host.take(request.command)
    case 'clock':
      clockAheadMs = request.aheadMs
      return undefined
    case 'ping':
      return send({ kind: 'pong', bytes: process.memoryUsage.rss() })
  }
}

// A terminal or systemd sends these to every process: this one ends when the server closes the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', end)
process.on('message', guarded('worker: request', handle))
