import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hourFolder, streamFolder, writeWhole } from '../../../server/storage/folders.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createSendingLimit, idleMs, sendPieces } from '../../../server/archive/playback/sending.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { portOf } from '../../../server/start.ts'
import { drawnInit, t0 } from '../fixtures/engine.ts'
import { startServer } from '../fixtures/harness.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

const init = drawnInit()
/**
 * More than the system's buffers of a connection take up by themselves: sent whole, an answer that isn't read would
 * be over.
 */
const segmentBytes = 16 * 1024 * 1024

/** A paused stream, of which three minutes are recorded: segments of 16 MiB, all in one file. */
const recorded = async () => {
  const video = await startVideo()
  const uid = 'door'
  await video.site.add({ ...row, uid, name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const { index, runId } = video.site
  const { recording } = await index.open(uid)
  const run = runOf(runId(), newRunKey(), init)
  await index.putRun(recording, run)
  const file = `${hourFolder(t0)}/${t0}.m4s`
  await writeWhole(join(streamFolder(video.context.dataDir, uid), file), [Buffer.alloc(segmentBytes)])
  const segment = (second: number) => ({
    start: t0 + second * 1000,
    finish: t0 + (second + 1) * 1000,
    duration: 1,
    mediaStart: second,
    run: run.id,
    bytes: segmentBytes,
    volume: 0,
    file,
    offset: 0,
  })
  // As older versions recorded: segments may share their bytes.
  await index.addOld(
    recording,
    Array.from({ length: 180 }, (_, second) => segment(second)),
  )
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const at = (second: number) => new Date(t0 + second * 1000).toISOString()
  return {
    video,
    run,
    base: `/v1/stream/${uid}/archive`,
    range: `start_time=${at(0)}&end_time=${at(180)}`,
    port: portOf(video.app),
  }
}

/** A call that is asked and not read; `head` is what was answered first. */
const unread = async (port: number, path: string, cookie: string): Promise<{ socket: Socket; head: string }> => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  socket.pause()
  return { socket, head: String(first).split('\r\n\r\n')[0] ?? '' }
}

test('a user has four downloads at once, whatever the host; the next gets Retry-After, and others go on', async () => {
  const { video, base, range, port } = await recorded()
  await video.addUser('bob', true)
  const path = `${base}/download?${range}`
  const running = await Promise.all(Array.from({ length: 4 }, () => unread(port, path, video.admin)))
  expect(running.map(({ head }) => head.slice(9, 12))).toEqual(['200', '200', '200', '200'])
  const { head } = await unread(port, path, video.admin)
  expect([head.slice(9, 12), /retry-after: (\d+)/i.exec(head)?.[1], /content-disposition/i.test(head)]).toEqual([
    '429',
    '5',
    false,
  ])
  expect((await unread(port, path, await video.signIn('bob'))).head.slice(9, 12)).toBe('200')
  expect((await video.ask('GET', '/v1/system/health', {})).status).toBe(200)
  running[0]?.socket.destroy()
  await vi.waitFor(async () => {
    const again = await unread(port, path, video.admin)
    expect(again.head.slice(9, 12)).toBe('200')
  }, patience)
})

test('a client that leaves while its download is planned stops the planning, which is no error', async () => {
  const { video, base, range, port } = await recorded()
  const planning = { pages: 0, isOver: false }
  onTestFinished(() => void (planning.isOver = true))
  vi.spyOn(video.site.index, 'pagesWithin').mockImplementation(async function* () {
    try {
      while (!planning.isOver) {
        planning.pages += 1
        await new Promise((resolve) => setImmediate(resolve))
        yield []
      }
    } finally {
      planning.isOver = true
    }
  })
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const head = `Host: 127.0.0.1:${port}\r\nCookie: ${video.admin}`
  socket.write(`GET ${base}/download?${range} HTTP/1.1\r\n${head}\r\n\r\n`)
  await expect.poll(() => planning.pages, patience).toBeGreaterThan(0)
  expect(planning.isOver).toBe(false)
  socket.destroy()
  await expect.poll(() => planning.isOver, patience).toBe(true)
  // The next answers come after that of the download.
  await video.ask('GET', '/v1/system/health', { cookie: video.admin })
  expect(video.context.serverLog.read(undefined).filter(({ level }) => level === 'error')).toEqual([])
})

test('segments in progress are limited in bytes, and a closed response no longer counts', async () => {
  const { video, base, port } = await recorded()
  const path = `${base}/recorded/${t0}.m4s`
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => (await unread(port, path, video.admin)).head.slice(9, 12)),
  )
  expect([
    statuses.filter((status) => status === '200').length,
    statuses.filter((status) => status === '429').length,
  ]).toEqual([8, 2])
  await video.addUser('bob', true)
  const bob = await video.signIn('bob')
  for (let turn = 0; turn < 10; turn += 1) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: bob } })
    expect((await reply.arrayBuffer()).byteLength).toBe(segmentBytes)
  }
})

test('a client that reads nothing is disconnected, one that reads slowly is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const made = { pieces: 0, isEnded: false }
  const endless: ServerPlugin = (app) => {
    app.get(
      '/v1/endless',
      { config: { access: { to: 'anyone' }, beforeFirstAdministrator: true } },
      async (_request, reply) => {
        const parts = async function* (): AsyncGenerator<Buffer> {
          try {
            for (;;) {
              made.pieces += 1
              yield Buffer.alloc(64 * 1024)
            }
          } finally {
            made.isEnded = true
          }
        }
        return sendPieces(reply, parts())
      },
    )
  }
  const { app } = await startServer({ plugins: [endless] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { socket } = await unread(portOf(app), '/v1/endless', '')
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const untilStill = async (): Promise<void> => {
    let before = -1
    while (before !== made.pieces) {
      before = made.pieces
      for (let count = 0; count < 50; count += 1) await turn()
    }
  }
  await untilStill()
  for (let waits = 0; waits < 3; waits += 1) {
    vi.advanceTimersByTime(idleMs - 1000)
    const before = made.pieces
    socket.resume()
    while (made.pieces < before + 50) await turn()
    socket.pause()
    await untilStill()
  }
  expect(made.isEnded).toBe(false)
  vi.advanceTimersByTime(idleMs + 1)
  while (!made.isEnded) await turn()
  expect(made.isEnded).toBe(true)
})

test('a client that stops before the last piece is disconnected, too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const taken = Promise.withResolvers<void>()
  const raw = Object.assign(new EventEmitter(), { destroy: vi.fn<() => void>() })
  const send = (body: Readable): void => {
    const client = new Writable({ highWaterMark: 1, write: (_piece, _encoding, _done) => taken.resolve() })
    body.pipe(client)
  }
  const reply: Parameters<typeof sendPieces>[0] = Object.assign(Object.create(null), { raw, send })
  sendPieces(reply, [Buffer.alloc(1000)])
  await taken.promise
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(idleMs + 1)
  expect(raw.destroy).toHaveBeenCalledOnce()
})

test('the limit of a caller counts responses in progress, and one is always allowed', () => {
  const closes: (() => void)[] = []
  const reply: Parameters<ReturnType<typeof createSendingLimit>['reserve']>[1] = Object.assign(Object.create(null), {
    raw: { destroyed: false, once: (_event: string, over: () => void) => closes.push(over) },
  })
  const limit = createSendingLimit({ each: 10, all: 15 })
  limit.reserve('a', reply, 50)
  expect(() => limit.reserve('a', reply, 1)).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 5 }))
  limit.reserve('b', reply, 4)
  expect(() => limit.reserve('b', reply, 4)).toThrow(expect.objectContaining({ status: 503, retryAfterSeconds: 5 }))
  for (const over of closes) over()
  limit.reserve('a', reply, 5)
  limit.reserve('a', reply, 5)
})

test('HEAD answers the headers of GET, without reading a file or making a picture', async () => {
  const { video, run, base, range } = await recorded()
  const call = async (method: 'GET' | 'HEAD', url: string) => {
    const reply = await video.app.inject({ method, url, headers: { cookie: video.admin, host: 'localhost' } })
    const {
      'content-type': type,
      'content-length': length,
      'cache-control': cache,
      'content-disposition': name,
    } = reply.headers
    return { status: reply.statusCode, type, length, cache, name, bytes: reply.rawPayload.length }
  }
  const got = await call('GET', `${base}/recorded/${t0}.m4s`)
  expect(await call('HEAD', `${base}/recorded/${t0}.m4s`)).toEqual({ ...got, length: String(segmentBytes), bytes: 0 })
  for (const url of [
    `${base}/download?${range}`,
    `${base}/recorded.m3u8?${range}`,
    `${base}/init/${run.id}.mp4`,
    `/v1/stream/preview?stream_id=door&time=${new Date(t0).toISOString()}`,
  ]) {
    expect(await call('HEAD', url), url).toMatchObject({ status: 200, bytes: 0 })
  }
  // Of these zeros no picture can be made.
  expect((await call('GET', `/v1/stream/preview?stream_id=door&time=${new Date(t0).toISOString()}`)).status).toBe(204)
  expect((await call('HEAD', '/v1/stream/probe?stream_id=door')).status).toBe(404)
  const ofUrl = (url: string) => call('HEAD', `/v1/stream/preview?url=${encodeURIComponent(url)}`)
  // No camera is there.
  expect(await ofUrl('rtsp://127.0.0.1:1/x')).toMatchObject({ status: 200, type: 'image/jpeg', bytes: 0 })
  for (const url of ['rtsp://', 'rtsp://***@127.0.0.1:1/x', 'demo:gate']) expect((await ofUrl(url)).status).toBe(400)
  expect((await call('HEAD', `${base}/recorded/${t0 + 1}.m4s`)).status).toBe(404)
  // More than the limit of downloads: none of them counts.
  for (let turn = 0; turn < 10; turn += 1) expect((await call('HEAD', `${base}/download?${range}`)).status).toBe(200)
})
