import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

interface WebhookCall {
  readonly body: Record<string, unknown>
  /** Whether it is signed with the secret (docs/wire.md §6.2). */
  readonly isSigned: boolean
}

export interface WebhookReceiver {
  readonly address: string
  /** Resolves with the next call. */
  readonly next: () => Promise<WebhookCall>
  readonly count: () => number
  readonly close: () => void
}

/** Accepts all calls of a webhook, on this machine. */
export async function startWebhookReceiver(secret: string): Promise<WebhookReceiver> {
  const calls: WebhookCall[] = []
  const waiting: ((call: WebhookCall) => void)[] = []
  let count = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const header = (name: string) => String(request.headers[name])
    const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`
    const signature = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
    const call = { body: JSON.parse(body), isSigned: header('webhook-signature') === signature }
    count += 1
    const wake = waiting.shift()
    if (wake === undefined) calls.push(call)
    else wake(call)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  return {
    address: `http://127.0.0.1:${bound.port}/hook`,
    next: () => {
      const call = calls.shift()
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call)
    },
    count: () => count,
    close: () => void server.close(),
  }
}
