import { request as httpRequest, type IncomingMessage } from 'node:http'
import { guarded } from '../guarded.ts'
import { connectSource } from '../media/gateway.ts'
import { maxHeaderBytes, pathOf } from '../media/http-exchange.ts'

export type Exchanged = { status: number; challenges: readonly string[]; body: string }

const timeoutMs = 8000
const maxBodyBytes = 512 * 1024

const read = async (answer: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    if (!Buffer.isBuffer(part)) continue
    bytes += part.length
    if (bytes > maxBodyBytes) throw new Error('too large')
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/**
 * Sends a SOAP request to a camera, whose address is checked like a source's. Redirects aren't followed. Throws a
 * ConnectFailure, or whatever ended the exchange.
 */
export const exchangeSoap = async (
  url: URL,
  body: string,
  options: { allowLoopback: boolean; authorization: string | undefined; signal: AbortSignal },
): Promise<Exchanged> => {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  const isSecure = url.protocol === 'https:'
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = await connectSource(host, port, isSecure, options.allowLoopback, signal)
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method: 'POST',
      path: pathOf(url),
      headers: {
        'content-type': 'application/soap+xml; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
        host: url.host,
        connection: 'close',
      },
      maxHeaderSize: maxHeaderBytes,
      createConnection: () => socket,
      signal,
    })
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error)
    }
    const take = async (answer: IncomingMessage): Promise<void> => {
      const challenges = answer.headersDistinct['www-authenticate'] ?? []
      resolve({ status: answer.statusCode ?? 0, challenges, body: await read(answer) })
      socket.destroy()
    }
    const refuse = (): void => fail(new Error('no answer'))
    outgoing.on('error', guarded('onvif: request', fail))
    outgoing.on('upgrade', guarded('onvif: upgrade', refuse))
    outgoing.on(
      'response',
      guarded('onvif: answer', (answer: IncomingMessage) => {
        take(answer).catch(fail)
      }),
    )
    outgoing.end(body)
  })
}
