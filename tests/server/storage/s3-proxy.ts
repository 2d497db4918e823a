import { createServer, request } from 'node:http'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { S3 } from '../../../scripts/s3.ts'

/**
 * What the proxy does to a request: another answer, no answer, a truncated body, a body with a wrong byte, or bodies at
 * a limited rate for as long as `fault` says so.
 */
type Fault = { status: number } | { bytesPerSecond: number } | 'silent' | 'truncated' | 'damaged' | undefined

export type Proxy = Pick<S3, 'urlOf'> & {
  /** The received requests, as `PUT /site/…`. */
  seen: string[]
  /** The requests whose caller left before the answer was complete. */
  left: string[]
  fault: (method: string, path: string) => Fault
}

const everyMs = 20

/** Passes a body on at the rate that `limit` allows, in bytes a second. */
const slowed = (limit: () => number) =>
  async function* (body: AsyncIterable<Buffer>) {
    for await (const piece of body) {
      for (let left = piece; left.length > 0;) {
        const bytesPerSecond = limit()
        const bytes = Math.ceil((bytesPerSecond * everyMs) / 1000)
        yield left.subarray(0, bytes)
        left = left.subarray(bytes)
        if (bytesPerSecond < Infinity) await pause(everyMs)
      }
    }
  }

/** A proxy between a server and its bucket, for the duration of a test. */
export const startProxy = async ({ endpoint, urlOf }: S3): Promise<Proxy> => {
  const target = new URL(endpoint)
  const proxy: Proxy = { urlOf, seen: [], left: [], fault: () => undefined }
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming
    const name = `${method} ${url}`
    proxy.seen.push(name)
    answer.on('close', () => {
      if (!answer.writableFinished) proxy.left.push(name)
    })
    const fault = proxy.fault(method, url)
    if (fault === 'silent') return
    if (typeof fault === 'object' && 'status' in fault) {
      incoming.resume()
      answer.writeHead(fault.status).end()
      return
    }
    const limited = slowed(() => {
      const current = proxy.fault(method, url)
      return typeof current === 'object' && 'bytesPerSecond' in current ? current.bytesPerSecond : Infinity
    })
    const onward = request({ host: target.hostname, port: target.port, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      if (fault === undefined || typeof fault === 'object') {
        pipeline(reply, limited, answer).catch(() => answer.destroy())
        return
      }
      if (fault === 'damaged') {
        reply.once('data', (bytes: Buffer) => {
          bytes.writeUInt8((bytes[0] ?? 0) ^ 1)
          answer.write(bytes)
          reply.pipe(answer)
        })
        return
      }
      reply.once('data', (bytes: Buffer) => {
        answer.write(bytes.subarray(0, bytes.length / 2), () => answer.destroy())
        reply.destroy()
      })
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    pipeline(incoming, limited, onward).catch(() => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const own = encodeURIComponent(`http://127.0.0.1:${address.port}`)
  proxy.urlOf = (...names) => urlOf(...names).replace(encodeURIComponent(endpoint), own)
  return proxy
}
