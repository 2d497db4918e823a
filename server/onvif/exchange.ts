import type { IncomingMessage } from 'node:http'
import { endpointOf } from '../media/address.ts'
import { connectSource } from '../media/gateway.ts'
import { postOver } from '../media/post.ts'

/** `challenges`: the values of WWW-Authenticate. */
export type SoapResponse = { status: number; challenges: readonly string[]; body: string }

const defaultTimeoutMs = 8000
const defaultMaxBytes = 512 * 1024

const readBody = async (answer: IncomingMessage, maxBytes: number): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    if (!Buffer.isBuffer(part)) continue
    bytes += part.length
    if (bytes > maxBytes) throw new Error('The answer is too large')
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/**
 * Sends a SOAP request to a camera, whose host is checked like that of a source. Redirects aren't followed. Throws a
 * ConnectFailure, or whatever ended the exchange.
 */
export const exchangeSoap = async (
  url: URL,
  body: string,
  options: {
    allowLoopback: boolean
    authorization: string | undefined
    signal: AbortSignal
    timeoutMs?: number
    maxBodyBytes?: number
  },
): Promise<SoapResponse> => {
  const { timeoutMs = defaultTimeoutMs, maxBodyBytes = defaultMaxBytes } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  const { host, port, isSecure } = endpointOf(url)
  const socket = await connectSource(host, port, isSecure, options.allowLoopback, signal)
  const { authorization } = options
  return postOver(socket, {
    url,
    body,
    signal,
    headers: {
      'content-type': 'application/soap+xml; charset=utf-8',
      ...(authorization === undefined ? {} : { authorization }),
    },
    read: async (answer) => ({
      status: answer.statusCode ?? 0,
      challenges: answer.headersDistinct['www-authenticate'] ?? [],
      body: await readBody(answer, maxBodyBytes),
    }),
  })
}
