import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { portOf } from '../../../server/start.ts'
import { patience } from '../../fixtures/patience.ts'
import { create } from '../fixtures/recordings.ts'
import { segments, serve, startVideo, shortClip, type VideoHarness } from '../fixtures/video.ts'

/** A camera that takes connections and never answers. */
const openTarpit = async () => {
  const sockets = new Set<Socket>()
  const asked = { count: 0 }
  const server = createServer((socket) => {
    asked.count += 1
    sockets.add(socket)
    socket.on('error', () => undefined).resume()
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { asked, sockets, url: `rtsp://127.0.0.1:${address.port}/live` }
}

const listening = async (video: VideoHarness): Promise<string> => {
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${portOf(video.app)}`
}

test.each(['probe', 'preview'])(
  'twenty calls of %s that were cancelled reach no camera, and hold no new one back',
  async (call) => {
    const video = await startVideo()
    const address = await listening(video)
    const { asked, sockets, url } = await openTarpit()
    const leaving = new AbortController()
    const calls = Array.from({ length: 20 }, () =>
      fetch(`${address}/v1/stream/${call}?url=${encodeURIComponent(url)}`, {
        headers: { cookie: video.admin },
        signal: leaving.signal,
      }).catch(() => undefined),
    )
    // Two of one caller at a time, …
    await vi.waitUntil(() => asked.count === 2, patience)
    leaving.abort()
    await Promise.all(calls)
    // … which end at once when nobody waits for them.
    await vi.waitUntil(() => sockets.size === 0, patience)
    const uid = await create(video, `${await serve(shortClip())}/x`)
    await segments(video.site, uid, 1)
    expect(asked.count).toBe(2)
  },
)

test('many probes are refused with the time to come again, and another person is asked for meanwhile', async () => {
  const video = await startVideo()
  const address = await listening(video)
  await video.addUser('bob', true)
  const { asked, url } = await openTarpit()
  const leaving = new AbortController()
  const probe = (cookie: string, source: string, signal?: AbortSignal) =>
    fetch(`${address}/v1/stream/probe?url=${encodeURIComponent(source)}`, {
      headers: { cookie },
      ...(signal === undefined ? {} : { signal }),
    })
  const refused: Response[] = []
  const calls = Array.from({ length: 30 }, () =>
    probe(video.admin, url, leaving.signal).then(
      (reply) => reply.status === 503 && refused.push(reply),
      () => undefined,
    ),
  )
  await vi.waitUntil(() => asked.count === 2 && refused.length === 12, patience)
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '2'))
  expect((await probe(await video.signIn('bob'), `${await serve(shortClip())}/x`)).status).toBe(200)
  leaving.abort()
  await Promise.all(calls)
})
