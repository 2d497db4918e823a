import * as HLS from 'hls-parser'
import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { portOf } from '../../server/run.ts'
import { certified, connect2 } from './tls.ts'
import { decoded, logged, probed, segments, serve, startVideo, tsCamera } from './video.ts'
import { patience } from '../fixtures/patience.ts'

/** A stream on a server that speaks HTTP/2, with three segments, and ways to its playlists. */
const openStream = async (streamSource: string) => {
  const { tls, ca } = certified()
  const video = await startVideo({ tls })
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const { body } = await video.ask('POST', '/v1/stream', { cookie: video.admin, body: { name: 'x', streamSource } })
  const { uid } = z.parse(z.object({ uid: z.string() }), body)
  await segments(video.site, uid, 4)
  const { call, session } = connect2(portOf(video.app), ca)
  const base = `/v1/stream/${uid}/archive`
  const secure = (cookie: string) => ({ cookie: cookie.replace('session=', '__Host-session=') })
  const get = (path: string, headers: Record<string, string> = secure(video.admin)) => call(`${base}/${path}`, headers)
  const live = async (query = '') => {
    const { status, body: text, headers } = await get(`live.m3u8${query}`)
    expect([status, headers['cache-control']], query).toEqual([200, 'no-store'])
    const media = HLS.parse(text.toString())
    if (media.isMasterPlaylist) throw new Error('not a media playlist')
    return media
  }
  const plain = async () => {
    const { body: text } = await video.ask('GET', `${base}/live.m3u8`, { cookie: video.admin })
    const media = HLS.parse(String(text))
    if (media.isMasterPlaylist) throw new Error('not a media playlist')
    return { media, text: String(text) }
  }
  return { video, uid, base, session, call, secure, get, live, plain }
}

type Live = Awaited<ReturnType<Awaited<ReturnType<typeof openStream>>['live']>>

/** The segment in the making stands last, without an address; what is only announced is no part. */
const newestOf = ({ segments: listed, mediaSequenceBase = 0 }: Live) => {
  const last = listed.at(-1)
  const parts = last?.parts.filter(({ hint }) => !hint) ?? []
  const hint = last?.parts.find((part) => part.hint)?.uri ?? ''
  return { sequence: mediaSequenceBase + listed.length - 1, parts, hint }
}

test.each([
  ['a demo camera', () => Promise.resolve('demo:gate')],
  ['a camera with sound', async () => `${await serve(tsCamera())}/camera.ts`],
])('live of %s comes in parts over HTTP/2, and its segments are made of them', async (_name, source) => {
  const { video, uid, get, live } = await openStream(await source())
  const first = await live()
  const { canBlockReload, partHoldBack } = first.lowLatencyCompatibility ?? {}
  const target = first.partTargetDuration ?? 0
  expect(target).toBeLessThanOrEqual(0.5)
  expect([canBlockReload, partHoldBack]).toEqual([true, Number((3 * target).toFixed(3))])

  const parts = new Map<string, { duration: number; bytes: Buffer }>()
  const wholes = new Map<string, string[]>()
  let { sequence, parts: made, hint } = newestOf(first)
  for (let turn = 0; turn < 12; turn += 1) {
    const [announced, media] = await Promise.all([get(hint), live(`?_HLS_msn=${sequence}&_HLS_part=${made.length}`)])
    expect([announced.status, announced.headers['content-type'], announced.headers['cache-control']]).toEqual([
      200,
      'video/mp4',
      'private, no-cache',
    ])
    const listed = media.segments.flatMap((segment) => segment.parts.filter((part) => !part.hint))
    const came = listed.find(({ uri }) => uri === hint)
    expect(came?.duration, hint).toBeGreaterThan(0)
    parts.set(hint, { duration: came?.duration ?? 0, bytes: announced.body })
    const begun = media.segments.filter(({ uri, parts: [part] }) => uri !== '' || part?.hint === false)
    expect(
      begun.filter(
        ({ programDateTime, parts: [part] }) =>
          programDateTime === undefined || (part !== undefined && part.independent !== true),
      ),
    ).toEqual([])
    for (const segment of begun) {
      if (segment.uri !== '')
        wholes.set(
          segment.uri,
          segment.parts.length === 0 ? (wholes.get(segment.uri) ?? []) : segment.parts.map(({ uri }) => uri),
        )
    }
    ;({ sequence, parts: made, hint } = newestOf(media))
  }

  const ofParts = [...wholes].filter(([, uris]) => uris.length > 1 && uris.every((uri) => parts.has(uri)))
  expect(ofParts.length).toBeGreaterThan(1)
  const init = (await get(first.segments[0]?.map?.uri ?? '')).body
  for (const [uri, uris] of ofParts) {
    const whole = (await get(uri)).body
    expect(Buffer.concat(uris.map((part) => parts.get(part)?.bytes ?? Buffer.of())).equals(whole), uri).toBe(true)
    for (const part of uris)
      expect((await get(part)).body.equals(parts.get(part)?.bytes ?? Buffer.of()), part).toBe(true)
    expect(decoded(Buffer.concat([init, whole]))).toBe('')
    expect(probed(Buffer.concat([init, whole])).packets).toBe(25)
  }
  const { startTime = 0 } = (await video.site.index.period(uid)) ?? {}
  const recorded = await video.site.index.within(uid, startTime, Date.now(), 1000)
  const uneven = recorded.filter(
    ({ start, duration }, place) =>
      Math.abs(duration - 1) > 0.05 || Math.abs((recorded[place + 1]?.start ?? start + 1000) - start - 1000) > 50,
  )
  expect(uneven).toEqual([])
})

test('over HTTP/1.1 the playlist has no parts, and the same segments and dates', async () => {
  const { live, plain } = await openStream('demo:gate')
  const parted = await live()
  const { media, text } = await plain()
  expect(text).not.toMatch(/PART|PRELOAD|SERVER-CONTROL/)
  const dates = new Map(parted.segments.map(({ uri, programDateTime, duration }) => [uri, [programDateTime, duration]]))
  expect(media.segments.length).toBeGreaterThan(2)
  for (const { uri, programDateTime, duration } of media.segments.slice(0, -1))
    expect(dates.get(uri)).toEqual([programDateTime, duration])
})

test('who reloads is told what is no number, too far ahead, or not to come', async () => {
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
  expect(
    await statuses(
      'live.m3u8?_HLS_part=0',
      `live.m3u8?_HLS_msn=${sequence + 9}`,
      `live.m3u8?_HLS_msn=${sequence}&_HLS_part=99`,
    ),
  ).toEqual([400, 400, 400])
  expect(
    await statuses(
      'live.m3u8?_HLS_msn=0',
      `live.m3u8?_HLS_msn=${sequence - 1}&_HLS_part=0`,
      `live.m3u8?_HLS_msn=${sequence}`,
    ),
  ).toEqual([200, 200, 200])
  expect(
    await statuses('part/1.m4s', `part/${Number.parseInt(hint.slice(5), 10) + 100}.m4s`, 'part/x.m4s', 'part/-1.m4s'),
  ).toEqual([404, 404, 400, 400])

  const late = newestOf(await live())
  const never = Promise.all([get(`live.m3u8?_HLS_msn=${late.sequence + 1}&_HLS_part=${parts.length}`), get(late.hint)])
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: video.admin })
  for (const { status } of await never) expect([200, 404, 503]).toContain(status)
  expect((await get(`part/${Number.parseInt(late.hint.slice(5), 10) + 50}.m4s`)).status).toBe(404)
})

test('a part that a segment ended without is the first of the next one', async () => {
  const { get, live } = await openStream('demo:gate')
  const { mediaSequenceBase = 0, segments: listed } = await live()
  const whole = mediaSequenceBase + listed.findLastIndex(({ uri }) => uri !== '')
  const { sequence, parts } = newestOf(await live(`?_HLS_msn=${whole}&_HLS_part=9`))
  expect(sequence > whole + 1 || (sequence === whole + 1 && parts.length > 0)).toBe(true)
  expect((await get(`live.m3u8?_HLS_msn=${whole}`)).status).toBe(200)
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
  const waiting = vi.spyOn(window, 'nextPart')
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

test('who comes by a share plays in parts, and that stream alone; a viewer who reloads is counted and recorded once', async () => {
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

test('a camera that comes back with another size goes on behind a cut, and what was announced before never comes', async () => {
  const kept: { response?: ServerResponse; isAway: boolean; size: string } = { isAway: false, size: '320x180' }
  const address = await serve((request, response) => {
    if (kept.isAway) response.writeHead(503).end()
    else tsCamera({ sound: false, size: kept.size })(request, response)
    kept.response = response
  })
  const { video, uid, get, live } = await openStream(`${address}/camera.ts`)
  const window = video.site.supervisor(uid)?.live
  const lost = logged(video.site, uid, /trying again/)
  kept.isAway = true
  kept.response?.destroy()
  await lost
  const before = await live()
  const { hint } = newestOf(before)
  const awaited = get(hint)
  Object.assign(kept, { isAway: false, size: '640x360' })
  await segments(video.site, uid, 2)
  expect((await awaited).status).toBe(404)

  const after = await live()
  const cut = after.segments.findLastIndex(({ discontinuity }) => discontinuity)
  const [old, fresh] = [after.segments[cut - 1], after.segments[cut]]
  expect([old?.map?.uri, fresh?.map?.uri === old?.map?.uri]).toEqual([
    before.segments.at(-1)?.map?.uri ?? old?.map?.uri,
    false,
  ])
  expect(after.segments.flatMap(({ parts }) => parts.map(({ uri }) => uri))).not.toContain(hint)
  expect((await get(hint)).status).toBe(404)
  const [init, [part]] = [
    await get(fresh?.map?.uri ?? ''),
    newestOf(after).parts.length > 0 ? newestOf(after).parts : (after.segments.at(-2)?.parts ?? []),
  ]
  expect(probed(Buffer.concat([init.body, (await get(part?.uri ?? '')).body]))).toMatchObject({
    width: 640,
    height: 360,
  })
  // The pictures of what is on disk are held no more.
  expect(window?.opened().length).toBeLessThan(3)
})
