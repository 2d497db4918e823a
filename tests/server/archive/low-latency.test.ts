import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { newestOf, openStream } from '../fixtures/live-in-parts.ts'
import { create } from '../fixtures/recordings.ts'
import { logged, segments, serve, startVideo, tsCamera } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

test('over HTTP/1.1 near keyframes give no parts, and the same segments and dates', async () => {
  const { live, plain } = await openStream('demo:gate')
  const parted = await live()
  const { media, text } = await plain()
  expect(text).not.toMatch(/PART|PRELOAD|SERVER-CONTROL/)
  const dates = new Map(parted.segments.map(({ uri, programDateTime, duration }) => [uri, [programDateTime, duration]]))
  expect(media.segments.length).toBeGreaterThan(2)
  for (const { uri, programDateTime, duration } of media.segments.slice(0, -1))
    expect(dates.get(uri)).toEqual([programDateTime, duration])
})

test('over HTTP/1.1 far keyframes give parts that are polled: nothing waits', async () => {
  const video = await startVideo()
  const uid = await create(video, `${await serve(tsCamera({ sound: false, keyframeSeconds: 2 }))}/`)
  await segments(video.site, uid, 2)
  const get = (path: string) => video.ask('GET', `/v1/stream/${uid}/archive/${path}`, { cookie: video.admin })
  const text = String((await get('live.m3u8?_HLS_msn=100000')).body)
  expect(text).not.toMatch(/CAN-BLOCK-RELOAD|PRELOAD-HINT/)
  const [heldBack, target] = [/PART-HOLD-BACK=([\d.]+)/, /PART-TARGET=([\d.]+)/].map((each) =>
    Number(each.exec(text)?.[1]),
  )
  expect(heldBack).toBeCloseTo(4 * Number(target), 2)
  const parts = Array.from(text.matchAll(/#EXT-X-PART:.*URI="part\/(\d+)\.m4s"/g), ([, number]) => Number(number))
  const statuses = await Promise.all(parts.map(async (number) => (await get(`part/${number}.m4s`)).status))
  expect([parts.length > 4, ...statuses]).toEqual([true, ...parts.map(() => 200)])
  expect((await get(`part/${Math.max(...parts) + 50}.m4s`)).status).toBe(404)
})

test('a reload with an invalid number, one too far ahead, or one that does not come is refused', async () => {
  const { video, uid, base, get, live } = await openStream('demo:gate')
  const { sequence, parts, hint } = newestOf(await live())
  const statuses = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await get(path)).status))
  const refused = [
    '_HLS_msn=x',
    '_HLS_msn=',
    '_HLS_msn=-1',
    '_HLS_msn=1.5',
    '_HLS_msn=1e3',
    '_HLS_msn=9999999999999999',
    '_HLS_msn=1&_HLS_msn=2',
    '_HLS_msn=1&_HLS_part=-1',
    '_HLS_msn=1&_HLS_part=',
  ]
  expect(await statuses(...refused.map((query) => `live.m3u8?${query}`))).toEqual(refused.map(() => 400))
  const plainly = refused.map(
    async (query) => (await video.ask('GET', `${base}/live.m3u8?${query}`, { cookie: video.admin })).status,
  )
  expect(await Promise.all(plainly)).toEqual(refused.map(() => 400))
  // A segment that ends meanwhile makes them valid.
  await vi.waitFor(async () => {
    const { sequence } = newestOf(await live())
    const ahead = [`_HLS_msn=${sequence + 9}`, `_HLS_msn=${sequence}&_HLS_part=99`].map((query) => `live.m3u8?${query}`)
    expect(await statuses('live.m3u8?_HLS_part=0', ...ahead)).toEqual([400, 400, 400])
  }, patience)
  expect(
    await statuses(
      'live.m3u8?_HLS_msn=0',
      `live.m3u8?_HLS_msn=${sequence - 1}&_HLS_part=0`,
      `live.m3u8?_HLS_msn=${sequence}`,
    ),
  ).toEqual([200, 200, 200])
  expect(
    await statuses(
      'part/1.m4s',
      `part/${Number.parseInt(hint.slice(5), 10) + 10_000}.m4s`,
      'part/x.m4s',
      'part/-1.m4s',
    ),
  ).toEqual([404, 404, 400, 400])

  const late = newestOf(await live())
  const never = Promise.all([get(`live.m3u8?_HLS_msn=${late.sequence + 1}&_HLS_part=${parts.length}`), get(late.hint)])
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: video.admin })
  for (const { status } of await never) expect([200, 404, 503]).toContain(status)
  expect((await get(`part/${Number.parseInt(late.hint.slice(5), 10) + 50}.m4s`)).status).toBe(404)
})

test('a part number past the end of a segment is the first part of the next one', async () => {
  const { get, live } = await openStream('demo:gate')
  const { mediaSequenceBase = 0, segments: listed } = await live()
  const whole = mediaSequenceBase + listed.findLastIndex(({ uri }) => uri !== '')
  const { sequence, parts } = newestOf(await live(`?_HLS_msn=${whole}&_HLS_part=9`))
  expect(sequence > whole + 1 || (sequence === whole + 1 && parts.length > 0)).toBe(true)
  expect((await get(`live.m3u8?_HLS_msn=${whole}`)).status).toBe(200)
})

test('the init of a run can be requested as soon as the playlist lists it, before a segment of it is whole', async () => {
  const { video, uid, get } = await openStream('demo:gate')
  const live = video.site.supervisor(uid)?.live
  const newest = live?.newest()
  if (live === undefined || newest === undefined) throw new Error('no live')
  const run = { ...newest.run, id: newest.run.id + 1 }
  const status = async () => (await get(`init/${run.id}.mp4`)).status
  expect(await status()).toBe(404)
  live.begin({ start: newest.segment.finish, run, read: async () => undefined })
  expect(await status()).toBe(200)
})

/** A stream that is live and rests, with a viewer, bob: so whoever waits for what comes next waits for long. */
const openResting = async () => {
  const stream = await openStream('demo:gate')
  const { video, uid, get, live, secure } = stream
  await video.addUser('bob', true)
  const token = z.parse(
    z.object({ token: z.string() }),
    (await video.ask('GET', `/v1/stream/${uid}/share`, { cookie: video.admin })).body,
  ).token
  const stopped = logged(video.site, uid, /^Stopped$/)
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: video.admin })
  await stopped
  await video.context.store.run('UPDATE recordings SET target_duration = 60')
  const window = video.site.supervisor(uid)?.live
  if (window === undefined) throw new Error('no live')
  const waiting = vi.spyOn(window, 'waitForPart')
  const { sequence, hint } = newestOf(await live())

  /** Waits for the next part, by reload and by address; what comes of both, once both do wait. */
  const wait = async (headers: Record<string, string>) => {
    const before = waiting.mock.calls.length
    const asked = [`live.m3u8?_HLS_msn=${sequence}&_HLS_part=0`, hint].map((path) =>
      get(path, headers).then(
        ({ status }) => status,
        () => 'broken',
      ),
    )
    await vi.waitUntil(() => waiting.mock.calls.length === before + 2, patience)
    return {
      answers: Promise.all(asked),
      released: Promise.all(waiting.mock.results.slice(before).map(({ value }) => value)),
    }
  }
  return { ...stream, wait, bob: secure(await video.signIn('bob')), share: { 'share-token': token } }
}

type Resting = Awaited<ReturnType<typeof openResting>>

test.each<
  [name: string, headers: (stream: Resting) => Record<string, string>, change: (stream: Resting) => Promise<unknown>]
>([
  ['is blocked', ({ bob }) => bob, ({ video }) => video.ask('POST', '/v1/user/bob/block', { cookie: video.admin })],
  [
    'loses the session',
    ({ bob }) => bob,
    async ({ video }) =>
      video.ask('DELETE', `/v1/user/bob/session/${(await video.context.sessions.list('bob'))[0]?.id}`, {
        cookie: video.admin,
      }),
  ],
  [
    'came by a share that ends',
    ({ share }) => share,
    ({ video, uid }) => video.ask('DELETE', `/v1/stream/${uid}/share`, { cookie: video.admin }),
  ],
  [
    'sees the stream deleted',
    ({ bob }) => bob,
    ({ video, uid }) => video.ask('DELETE', `/v1/stream/${uid}`, { cookie: video.admin }),
  ],
  ['leaves', ({ bob }) => bob, async ({ session }) => session.destroy()],
  ['sees the server stop', ({ bob }) => bob, ({ video }) => video.app.close()],
])('who waits for a part and %s waits no longer', async (_name, headers, change) => {
  const stream = await openResting()
  stream.session.on('error', () => undefined)
  const { answers, released } = await stream.wait(headers(stream))
  await change(stream)
  expect([await answers, await released]).toEqual([
    ['broken', 'broken'],
    [false, false],
  ])
})

test('a guest plays in parts, and that stream alone; a viewer who reloads is counted and recorded once', async () => {
  const { video, uid, call, get, live } = await openStream('demo:gate')
  const { body } = await video.ask('GET', `/v1/stream/${uid}/share`, { cookie: video.admin })
  const share = { 'share-token': z.parse(z.object({ token: z.string() }), body).token }
  let { sequence, parts, hint } = newestOf(await live())
  for (let turn = 0; turn < 4; turn += 1) {
    const [part, list] = await Promise.all([
      get(hint, share),
      get(`live.m3u8?_HLS_msn=${sequence}&_HLS_part=${parts.length}`, share),
    ])
    expect([part.status, list.status]).toEqual([200, 200])
    ;({ sequence, parts, hint } = newestOf(await live(`?_HLS_msn=${sequence}&_HLS_part=${parts.length}`)))
  }
  const other = await video.ask('POST', '/v1/stream', {
    cookie: video.admin,
    body: { name: 'y', streamSource: 'demo:yard' },
  })
  expect(
    (await call(`/v1/stream/${String(Reflect.get(Object(other.body), 'uid'))}/archive/live.m3u8`, share)).status,
  ).toBe(404)
  expect(video.site.supervisor(uid)?.viewers()).toBe(2)
  const { items } = z.parse(
    z.object({
      items: z.array(z.object({ login: z.string(), action: z.string(), ip: z.string(), outcome: z.string() })),
    }),
    (await video.ask('GET', '/v1/admin/audit-logs', { cookie: video.admin })).body,
  )
  expect(
    items
      .filter(({ action, outcome }) => action === 'stream.view' && outcome === 'ok')
      .map(({ login, ip }) => `${login} ${ip}`)
      .toSorted(),
  ).toEqual(['admin 127.0.0.1', 'share link 127.0.0.1'])
})
