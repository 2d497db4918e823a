import * as HLS from 'hls-parser'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { portOf } from '../../server/run.ts'
import { certified, connect2 } from './tls.ts'
import { decoded, probed, segments, serve, startVideo, tsCamera } from './video.ts'

/** A stream on a server that speaks HTTP/2, with three segments, and ways to its playlists. */
const openStream = async (streamSource: string) => {
  const { tls, ca } = certified()
  const video = await startVideo({ tls })
  await video.app.listen({ host: '127.0.0.1', port: 0 })
  const { body } = await video.ask('POST', '/v1/stream', { cookie: video.admin, body: { name: 'x', streamSource } })
  const { uid } = z.parse(z.object({ uid: z.string() }), body)
  await segments(video.site, uid, 4)
  const { call } = connect2(portOf(video.app), ca)
  const base = `/v1/stream/${uid}/archive`
  const get = (path: string) => call(`${base}/${path}`, { cookie: video.admin.replace('session=', '__Host-session=') })
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
  return { video, uid, get, live, plain }
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
      200, 'video/mp4', 'private, max-age=31536000, immutable',
    ])
    const listed = media.segments.flatMap((segment) => segment.parts.filter((part) => !part.hint))
    const came = listed.find(({ uri }) => uri === hint)
    expect(came?.duration, hint).toBeGreaterThan(0)
    parts.set(hint, { duration: came?.duration ?? 0, bytes: announced.body })
    const begun = media.segments.filter(({ uri, parts: [part] }) => uri !== '' || part?.hint === false)
    expect(begun.filter(({ programDateTime, parts: [part] }) => programDateTime === undefined || (part !== undefined && part.independent !== true))).toEqual([])
    for (const segment of begun) {
      if (segment.uri !== '') wholes.set(segment.uri, segment.parts.length === 0 ? (wholes.get(segment.uri) ?? []) : segment.parts.map(({ uri }) => uri))
    }
    ;({ sequence, parts: made, hint } = newestOf(media))
  }

  const ofParts = [...wholes].filter(([, uris]) => uris.length > 1 && uris.every((uri) => parts.has(uri)))
  expect(ofParts.length).toBeGreaterThan(1)
  const init = (await get(first.segments[0]?.map?.uri ?? '')).body
  for (const [uri, uris] of ofParts) {
    const whole = (await get(uri)).body
    expect(Buffer.concat(uris.map((part) => parts.get(part)?.bytes ?? Buffer.of())).equals(whole), uri).toBe(true)
    for (const part of uris) expect((await get(part)).body.equals(parts.get(part)?.bytes ?? Buffer.of()), part).toBe(true)
    expect(decoded(Buffer.concat([init, whole]))).toBe('')
    expect(probed(Buffer.concat([init, whole])).packets).toBe(25)
  }
  const { startTime = 0 } = video.site.index.period(uid) ?? {}
  const recorded = video.site.index.within(uid, startTime, Date.now(), 1000)
  const uneven = recorded.filter(({ start, duration }, place) => Math.abs(duration - 1) > 0.05 || Math.abs((recorded[place + 1]?.start ?? start + 1000) - start - 1000) > 50)
  expect(uneven).toEqual([])
})

test('over HTTP/1.1 the playlist has no parts, and the same segments and dates', async () => {
  const { live, plain } = await openStream('demo:gate')
  const parted = await live()
  const { media, text } = await plain()
  expect(text).not.toMatch(/PART|PRELOAD|SERVER-CONTROL/)
  const dates = new Map(parted.segments.map(({ uri, programDateTime, duration }) => [uri, [programDateTime, duration]]))
  expect(media.segments.length).toBeGreaterThan(2)
  for (const { uri, programDateTime, duration } of media.segments.slice(0, -1)) expect(dates.get(uri)).toEqual([programDateTime, duration])
})

test('who reloads is told what is no number, too far ahead, or not to come', async () => {
  const { video, uid, get, live } = await openStream('demo:gate')
  const { sequence, parts, hint } = newestOf(await live())
  const statuses = async (...queries: string[]) => Promise.all(queries.map(async (query) => (await get(`live.m3u8?${query}`)).status))
  expect(await statuses('_HLS_msn=x', '_HLS_msn=-1', '_HLS_msn=1.5', '_HLS_part=0', `_HLS_msn=${sequence + 9}`, `_HLS_msn=${sequence}&_HLS_part=99`)).toEqual([
    400, 400, 400, 400, 400, 400,
  ])
  expect(await statuses('_HLS_msn=0', `_HLS_msn=${sequence - 1}&_HLS_part=0`, `_HLS_msn=${sequence}`)).toEqual([200, 200, 200])
  expect((await get('part/1.m4s')).status).toBe(404)
  expect((await get(`part/${Number.parseInt(hint.slice(5), 10) + 100}.m4s`)).status).toBe(404)

  const late = newestOf(await live())
  const never = Promise.all([get(`live.m3u8?_HLS_msn=${late.sequence + 1}&_HLS_part=${parts.length}`), get(late.hint)])
  await video.ask('POST', `/v1/stream/pause/${uid}`, { cookie: video.admin })
  for (const { status } of await never) expect([200, 404, 503]).toContain(status)
  expect((await get(`part/${Number.parseInt(late.hint.slice(5), 10) + 50}.m4s`)).status).toBe(404)
})
