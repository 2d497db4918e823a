import * as z from 'zod/mini'
import { guarded, onFault } from '../guarded.ts'
import { openListener } from '../media/namespace.ts'
import { adoptSandbox } from '../media/sandbox.ts'
import { createIngestHost } from './host.ts'
import { ToWorker, type FromWorker } from './worker-messages.ts'

/** What the server hasn't taken: some minutes of all streams. Then something is wrong with it, or with this process. */
const maxUntaken = 50_000
let untaken = 0

/** It ends at once: the next worker seals the spools, and only one process may write to them. */
const end = guarded('worker: end', () => process.exit(0))

const taken = guarded('worker: sent', () => {
  untaken -= 1
})

const send = (message: FromWorker): void => {
  untaken += 1
  if (untaken > maxUntaken || process.send === undefined) process.exit(1)
  process.send(message, undefined, undefined, taken)
}

onFault(({ callback, error }) =>
  send({ kind: 'fault', callback, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)

const host = createIngestHost({ now: Date.now, send: (event) => send({ kind: 'event', event }) })

/** The namespace of the gateways is made before a camera needs it. */
const begin = async ({ sandbox }: Extract<ToWorker, { kind: 'begin' }>): Promise<void> => {
  adoptSandbox({ isolation: undefined, user: undefined, ...sandbox })
  const { close } = await openListener()
  close()
}

const take = (message: unknown): Promise<void> | void => {
  const request = z.parse(ToWorker, message)
  switch (request.kind) {
    case 'begin':
      return begin(request)
    case 'command':
      return host.take(request.command)
    case 'ping':
      return send({ kind: 'pong', bytes: process.memoryUsage.rss() })
  }
}

// Signals reach every process of a terminal or a unit: the server decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', end)
process.on('message', guarded('worker: request', take))
