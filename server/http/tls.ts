import type { FastifyRequest } from 'fastify'
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { createSecureContext } from 'node:tls'
import type { App } from './fastify.ts'
import { guarded } from '../guarded.ts'
import { whyUnreadable } from '../usage-error.ts'

export type Tls = { cert: Buffer; key: Buffer; files: { cert: string; key: string } }

const read = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Error(`${name}: ${whyUnreadable(file, error)}`, { cause: error })
  }
}

const certificateOf = (file: string, pem: Buffer): X509Certificate => {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Error(`TLS_CERT: ${file} holds no certificate (PEM)`)
  }
}

const keyOf = (file: string, pem: Buffer): KeyObject => {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error(`TLS_KEY: ${file} holds no private key (PEM, without a passphrase)`)
  }
}

/** Reads and checks the files. Its errors are for the operator. */
export const readTls = (certFile: string, keyFile: string): Tls => {
  const cert = read('TLS_CERT', certFile)
  const key = read('TLS_KEY', keyFile)
  if (!certificateOf(certFile, cert).checkPrivateKey(keyOf(keyFile, key))) {
    throw new Error(`TLS_KEY: the key in ${keyFile} does not match the certificate in ${certFile}`)
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`TLS_CERT: ${certFile} can't be used: ${reason}`, { cause: error })
  }
  return { cert, key, files: { cert: certFile, key: keyFile } }
}

/** Limits of one HTTP/2 connection, over which a mosaic plays 16 videos. The memory is in MB. */
const limits = { settings: { maxConcurrentStreams: 256 }, maxSessionMemory: 64 }

/** HTTP/2, with HTTP/1.1 for older clients. Typed `object`: fastify's types would change the type of the app. */
export const tlsOptions = (tls: Tls | undefined, requestTimeout: number): object =>
  tls === undefined
    ? {}
    : { http2: true, https: { cert: tls.cert, key: tls.key, allowHTTP1: true, requestTimeout, ...limits } }

/**
 * Whether the client uses HTTP/2, also if another node has passed its request on: over HTTP/1.1 a waiting request
 * occupies one of a browser's six connections.
 */
export const isHttp2 = ({ raw, passedOn }: FastifyRequest): boolean => passedOn?.isHttp2 ?? raw.httpVersionMajor === 2

/**
 * Ends TLS connections when the server closes: fastify's `forceCloseConnections` leaves them open, so that closing
 * would wait for downloads.
 */
export const endConnectionsOnClose = (app: App): void => {
  const open = new Set<Duplex>()
  app.server.on(
    'secureConnection',
    guarded('tls: a connection', (socket: Duplex) => {
      open.add(socket)
      socket.once(
        'close',
        guarded('tls: a connection ends', () => open.delete(socket)),
      )
    }),
  )
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy()
  })
}
