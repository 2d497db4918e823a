import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { connectOutside, endpointOf } from '../media/address.ts'
import { postOver } from '../media/post.ts'

const timeoutMs = 15_000

/** The call of a webhook or a push service. */
export type Call = { address: string; headers: Record<string, string | number>; body: Buffer | string }

/** The signature of Standard Webhooks, over id, time (in seconds) and body. */
export const signatureOf = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`

const connectTo = async (url: URL, allowLoopback: boolean, signal: AbortSignal): Promise<Duplex> => {
  const { host, port, isSecure } = endpointOf(url)
  const socket = await connectOutside(host, port, allowLoopback, signal)
  if (!isSecure) return socket
  // The certificate is verified for this host, unlike a camera's. An address is no server name.
  const secure = connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) })
  // The handshake may fail before the request listens.
  secure.on('error', () => undefined)
  return secure
}

/** Sends a POST and returns the status. Reads no body and follows no redirect. */
export const post = async (
  { address, headers, body }: Call,
  allowLoopback: boolean,
  aborted: AbortSignal,
): Promise<number> => {
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)])
  const url = new URL(address)
  const socket = await connectTo(url, allowLoopback, signal)
  return postOver(socket, { url, headers, body, signal, read: ({ statusCode = 0 }) => statusCode })
}
