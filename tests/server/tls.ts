import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type ClientHttp2Session, type IncomingHttpHeaders, type SecureClientSessionOptions } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { makeCertificate } from '../../scripts/certificate.ts'
import { readTls } from '../../server/http/tls.ts'

/** A certificate of `localhost` and its key, as files and as server options; removed after the test. */
export const certified = (name?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = makeCertificate(folder, name)
  return { folder, files, tls: readTls(files.cert, files.key), ca: readFileSync(files.cert) }
}

export type Answer2 = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Calls over one HTTP/2 connection. */
export type Client2 = {
  session: ClientHttp2Session
  call: (path: string, headers?: Record<string, string>, body?: string) => Promise<Answer2>
}

export const connect2 = (port: number, ca: Buffer, options: SecureClientSessionOptions = {}): Client2 => {
  const session = connect(`https://localhost:${port}`, { ca, ...options })
  onTestFinished(() => session.destroy())
  return {
    session,
    call: (path, headers = {}, body) =>
      new Promise((resolve, reject) => {
        const stream = session.request(
          { ':path': path, ':method': body === undefined ? 'GET' : 'POST', ...headers },
          { endStream: body === undefined },
        )
        const breakOff = () => reject(new Error('closed without an answer'))
        stream.once('error', reject)
        stream.once('close', breakOff)
        stream.once('response', (answered) => {
          stream.off('close', breakOff)
          const { ':status': status = 0, ...rest } = answered
          buffer(stream).then((bytes) => resolve({ status, headers: rest, body: bytes }), reject)
        })
        if (body !== undefined) stream.end(body)
      }),
  }
}
