import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBucket } from '../../../server/storage/bucket.ts'
import { StorageAway } from '../../../server/storage/chunk-storage.ts'

/** A bucket whose answers stop after their heads, and a way to let the time limit of a call pass. */
const stalledBucket = async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b')
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/xml', 'content-length': 50 })
    response.flushHeaders()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const limits: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const bucket = openBucket(`s3://site/a?endpoint=${encodeURIComponent(`http://127.0.0.1:${address.port}`)}`)
  onTestFinished(() => {
    bucket.close()
    server.closeAllConnections()
    server.close()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
  const pass = async (call: Promise<unknown>) => {
    await once(server, 'request')
    for (const limit of limits.splice(0)) limit.abort(new DOMException('too late', 'TimeoutError'))
    return call.then(
      () => 'answered',
      (error: unknown) => error,
    )
  }
  return { bucket, pass }
}

test('calls whose answer stops after its head end in time, as if the bucket were away', async () => {
  const { bucket, pass } = await stalledBucket()
  expect(await pass(bucket.readMarker())).toBeInstanceOf(StorageAway)
  expect(await pass(bucket.recordings())).toBeInstanceOf(StorageAway)
  expect(await pass(bucket.removeAll([{ uid: 'door', file: '2026-11-21T07/a.mp4' }]))).toBeInstanceOf(StorageAway)
})
