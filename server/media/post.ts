import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { guarded } from '../guarded.ts'
import { maxHeaderBytes, pathOf } from './http-exchange.ts'

type Post<Answer> = {
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer | string
  signal: AbortSignal
  /** Reads the answer; its result is that of the exchange. */
  read: (answer: IncomingMessage) => Answer | Promise<Answer>
}

/**
 * Sends a POST over an open connection, whose address was checked, and closes it. Redirects aren't followed. Rejects
 * with the error that ended the exchange.
 */
export const postOver = <Answer>(socket: Duplex, { url, headers, body, signal, read }: Post<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method: 'POST',
      path: pathOf(url),
      headers: { ...headers, 'content-length': Buffer.byteLength(body), host: url.host, connection: 'close' },
      maxHeaderSize: maxHeaderBytes,
      createConnection: () => socket,
      signal,
    })
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error)
    }
    const receive = async (answer: IncomingMessage): Promise<void> => {
      resolve(await read(answer))
      socket.destroy()
    }
    const refuse = (): void => fail(new Error('no answer'))
    outgoing.on('error', guarded('post: request', fail))
    outgoing.on('upgrade', guarded('post: upgrade', refuse))
    outgoing.on(
      'response',
      guarded('post: answer', (answer: IncomingMessage) => {
        receive(answer).catch(fail)
      }),
    )
    outgoing.end(body)
  })
