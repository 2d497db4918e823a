import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createLentBuffers } from '../../../server/archive/playback/lent-buffers.ts'
import { portOf } from '../../../server/start.ts'
import { hourFolder, streamFolder, writeWhole } from '../../../server/storage/folders.ts'
import { drawnInit, t0 } from '../fixtures/engine.ts'
import { row } from '../fixtures/paused-stream.ts'
import { password } from '../fixtures/harness.ts'
import { certified, connect2 } from '../fixtures/tls.ts'
import { startVideo } from '../fixtures/video.ts'

const kibibyte = 1024

test('a buffer is lent again once its response has closed, and none whose read failed', () => {
  const lentWhile = createLentBuffers()
  const memoryOf = (response: AbortController, bytes: number, hasRead = true) => {
    const { allocate, lend } = lentWhile(response.signal)
    const buffer = allocate(bytes)
    expect(buffer).toHaveLength(bytes)
    if (hasRead) lend()
    return buffer.buffer
  }
  const first = new AbortController()
  const second = new AbortController()
  const third = new AbortController()
  const lent = memoryOf(first, 100 * kibibyte)
  expect(memoryOf(second, 100 * kibibyte) === lent).toBe(false)
  first.abort()
  expect(memoryOf(third, 200 * kibibyte) === lent).toBe(false)
  expect(memoryOf(third, 99 * kibibyte) === lent).toBe(true)
  const failed = memoryOf(second, 100 * kibibyte, false)
  second.abort()
  expect(memoryOf(third, 100 * kibibyte) === failed).toBe(false)
})

test('few buffers are kept, no large ones, and rather those of sizes that are in use', () => {
  const lentWhile = createLentBuffers()
  const takeAll = (bytes: number, count: number) => {
    const response = new AbortController()
    const taken = Array.from({ length: count }, () => {
      const { allocate, lend } = lentWhile(response.signal)
      const { buffer } = allocate(bytes)
      lend()
      return buffer
    })
    response.abort()
    return taken
  }
  const known = new Set([...takeAll(kibibyte * kibibyte, 40), ...takeAll(9 * kibibyte * kibibyte, 1)])
  const again = [...takeAll(kibibyte * kibibyte, 40), ...takeAll(9 * kibibyte * kibibyte, 1)]
  expect(again.filter((buffer) => known.has(buffer))).toHaveLength(32)
  const others = takeAll(2 * kibibyte * kibibyte, 10)
  expect(takeAll(2 * kibibyte * kibibyte, 10).filter((buffer) => others.includes(buffer))).toHaveLength(10)
  expect(takeAll(kibibyte * kibibyte, 40).filter((buffer) => again.includes(buffer))).toHaveLength(12)
})

test('segments that are read at the same time over HTTP/2 arrive unmixed, some given up', async () => {
  const { tls, ca } = certified()
  const video = await startVideo({ tls })
  const uid = 'door'
  await video.site.add({ ...row, uid, name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const { index, runId } = video.site
  const { recording } = await index.open(uid)
  const run = runOf(runId(), newRunKey(), drawnInit())
  await index.putRun(recording, run)
  const [count, bytes] = [40, 300 * kibibyte]
  const file = `${hourFolder(t0)}/${t0}.m4s`
  const contents = Array.from({ length: count }, (_, number) => Buffer.alloc(bytes, number + 1))
  await writeWhole(join(streamFolder(video.context.dataDir, uid), file), contents)
  const times = (number: number) => ({ start: t0 + number * 1000, finish: t0 + (number + 1) * 1000, duration: 1 })
  const located = (number: number) => ({ volume: 0, file, offset: number * bytes, bytes })
  await index.addOld(
    recording,
    contents.map((_, number) => ({ ...times(number), ...located(number), mediaStart: number, run: run.id })),
  )
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(video.app)
  const { session, call } = connect2(port, ca)
  const head = { 'content-type': 'application/json', origin: `https://localhost:${port}` }
  const signedIn = await call('/v1/sign-in', head, JSON.stringify({ name: 'admin', password }))
  const [cookie = ''] = signedIn.headers['set-cookie']?.[0]?.split(';') ?? []
  const path = (number: number) => `/v1/stream/${uid}/archive/recorded/${t0 + number * 1000}.m4s`
  const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  for (let round = 0; round < 3; round += 1) {
    const leaving = session.request({ ':path': path(round), cookie })
    leaving.once('data', () => leaving.close())
    leaving.on('error', () => undefined)
    const answers = await Promise.all(contents.map((_, number) => call(path(number), { cookie })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.map(({ body }) => hash(body))).toEqual(contents.map(hash))
  }
})
