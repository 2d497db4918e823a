import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { createSigning } from '../../../server/cluster/signing.ts'
import { boxesIn, makeBox } from '../../../server/media/boxes.ts'
import { cutSegment } from '../../../server/media/cut.ts'
import { readFragment } from '../../../server/media/fragments.ts'
import { readSamples } from '../../../server/media/samples.ts'
import { archiveOf } from '../fixtures/playlists.ts'
import { add, camera, newFolder, open, record, t0, uid } from '../fixtures/tape.ts'

const at = (second: number): string => new Date(t0 + second * 1000).toISOString()
const base = archiveOf(uid)
const all = `start_time=${at(0)}&end_time=${at(20)}`
const Shared = z.object({ token: z.string() })

/** Twenty seconds of video, of which a share shows those from 4 to 9. */
const opened = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 20)
  const { ask, admin } = video
  const put = (body: object) => ask('PUT', `/v1/stream/${uid}/share`, { cookie: admin, body })
  const made = await put({ startTime: at(4), endTime: at(9) })
  const headers = { 'share-token': z.parse(Shared, made.body).token }
  const get = (url: string) => ask('GET', url, { headers })
  const listed = async (url: string) => String((await get(url)).body)
  return { video, put, made, get, listed, headers }
}

test('a share of a range says so to its visitors and to who may administer the stream', async () => {
  const { video, made, get } = await opened()
  const sharedRange = { startTime: at(4), endTime: at(9), live: false }
  expect(made.body).toMatchObject(sharedRange)
  const { ask, admin } = video
  expect((await ask('GET', `/v1/stream/${uid}/share`, { cookie: admin })).body).toMatchObject(sharedRange)
  expect((await get(`/v1/stream/${uid}`)).body).toMatchObject({
    sharedRange,
    meta: { canAdmin: false, canViewArchive: true, isShared: false },
  })
  expect((await ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body).toMatchObject({ sharedRange })
  const { body } = await ask('GET', '/v1/system/internal/ui/settings', { cookie: admin })
  expect(body).toMatchObject({ features: expect.arrayContaining(['share-options', 'share-range']) })
})

test('its visitors get what lies within the range, and nothing else', async () => {
  const { video, get, listed, headers } = await opened()
  const playlist = await listed(`${base}index.m3u8?${all}`)
  const path = /recorded\.m3u8\S*/.exec(playlist)?.[0] ?? ''
  expect(path).toContain(`${encodeURIComponent(at(4))}&end_time=${encodeURIComponent(at(9))}`)
  const uris = (text: string) => text.split('\n').filter((line) => line.startsWith('recorded/'))
  const media = await listed(base + path)
  expect(uris(media)).toEqual([4, 6, 8].map((second) => `recorded/${t0 + second * 1000}.m4s`))
  expect(media.match(/EXTINF:[\d.]+/g)).toEqual(['EXTINF:2.000000', 'EXTINF:2.000000', 'EXTINF:1.000000'])
  expect(uris(await listed(`${base}recorded.m3u8?${all}`))).toEqual(uris(media))
  const init = /init\/\d+\.mp4/.exec(media)?.[0] ?? ''
  const status = async (url: string) => (await get(url)).status
  expect([await status(base + init), await status(`${base}init/99.mp4`)]).toEqual([200, 404])
  const segments = [2, 4, 8, 10].map((second) => status(`${base}recorded/${t0 + second * 1000}.m4s`))
  expect(await Promise.all(segments)).toEqual([404, 200, 200, 404])
  expect((await get(`${base}stats`)).body).toEqual({ period: { startTime: at(4), endTime: at(9) } })
  expect((await get(`${base}ranges?${all}`)).body).toEqual({
    period: { startTime: at(0), endTime: at(20) },
    ranges: [
      { date: at(0), status: 0 },
      { date: at(4), status: 1 },
      { date: at(9), status: 0 },
    ],
  })
  const days = `start_time=${at(-86_400)}&end_time=${at(86_400)}&timezone=UTC`
  expect((await get(`${base}available-days?${days}`)).body).toEqual({ days: [at(4).slice(0, 10)] })
  const beside = `start_time=${at(10)}&end_time=${at(20)}`
  for (const name of ['index.m3u8', 'recorded.m3u8', 'sub/recorded.m3u8', 'download'])
    expect([name, await status(`${base}${name}?${beside}`)]).toEqual([name, 404])
  expect((await get(`${base}available-days?${beside}`)).body).toEqual({ days: [] })
  const preview = (query: string) => status(`/v1/stream/preview?stream_id=${uid}${query}`)
  expect([await preview(`&time=${at(5)}`), await preview(`&time=${at(9)}`), await preview(`&time=${at(3)}`)]).toEqual([
    200, 204, 204,
  ])
  const whole = await video.ask('GET', `${base}download?${all}`, { cookie: video.admin })
  const part = await get(`${base}download?${all}`)
  expect(part.headers['content-disposition']).toContain(at(4).slice(11, 19).replaceAll(':', '-'))
  expect(String(part.body).length).toBeLessThan(String(whole.body).length / 2)
  const { rawPayload } = await video.app.inject({
    url: `${base}download?${all}`,
    headers: { host: 'localhost', ...headers },
  })
  expect(Number(part.headers['content-length'])).toBe(rawPayload.length)
})

test('annotations are cut to the range, without the login that may be their source', async () => {
  const { video, get } = await opened()
  const annotations = createAnnotationStore(video.context.store)
  const event = { streamId: uid, type: 'event', source: 'ann', label: 'car' }
  const times: [number, number?][] = [[1], [2, 6], [5], [7, 15], [9], [12, 14]]
  await annotations.addDetected(
    times.map(([from, to]) => ({
      ...event,
      time: t0 + from * 1000,
      ...(to === undefined ? {} : { timeEnd: t0 + to * 1000 }),
    })),
  )
  const query = `streamId=${uid}&from=${at(0)}&to=${at(20)}`
  const { items } = z.parse(
    z.object({ items: z.array(z.record(z.string(), z.unknown())) }),
    (await get(`/v1/annotations?${query}`)).body,
  )
  expect(items).toEqual(
    [[4, 6], [5], [7, 9]].map(([from = 0, to]) => ({
      id: expect.any(String),
      type: 'event',
      label: 'car',
      time: at(from),
      ...(to === undefined ? {} : { timeEnd: at(to) }),
    })),
  )
  const outside = `streamId=${uid}&from=${at(10)}&to=${at(20)}`
  expect((await get(`/v1/annotations?${outside}`)).body).toEqual({ items: [] })
})

test('it refuses live, unless its owner allows that, and whatever is not limited to the range', async () => {
  const { get, put } = await opened()
  const calls = ['index.m3u8', 'live.m3u8', 'sub/live.m3u8', 'compatible/live.m3u8', 'live/1.m4s', 'part/1.m4s']
  const refused = [...calls.map((call) => base + call), `${base}motion?from=${at(0)}&to=${at(20)}`]
  const statuses = async (urls: string[]) => Promise.all(urls.map(async (url) => (await get(url)).status))
  expect(await statuses(refused)).toEqual(refused.map(() => 403))
  const latest = `/v1/stream/preview?stream_id=${uid}`
  expect(await statuses([latest, `/v1/stream/${uid}?extend_lease=true`, `${base}locks`])).toEqual([403, 403, 403])
  await put({ startTime: at(4), endTime: at(9), live: true })
  expect(await statuses([`${base}index.m3u8`, latest, `/v1/stream/${uid}?extend_lease=true`])).toEqual([404, 204, 200])
  expect(await statuses([`${base}recorded/${t0 + 10_000}.m4s`])).toEqual([404])
  await put({})
  expect(await statuses([`${base}stats`, `${base}recorded.m3u8?${all}`, latest])).toEqual([403, 403, 204])
})

test('bad ends are refused beside their fields, and change nothing', async () => {
  const { put, video } = await opened()
  const before = await video.context.shares.optionsOf(uid)
  const bad: [object, Record<string, string>][] = [
    [{ endTime: null }, { endTime: 'Required' }],
    [{ startTime: null }, { startTime: 'Required' }],
    [{ endTime: at(3) }, { endTime: 'Must be after the start' }],
    [{ endTime: at(86_400 * 3650) }, { endTime: 'In the future' }],
    [{ startTime: at(86_400 * 3650) }, { startTime: 'In the future' }],
    [{ startTime: at(-200 * 3600) }, { endTime: 'At most 168 hours' }],
  ]
  for (const [change, details] of bad) {
    const refused = await put({ startTime: at(4), endTime: at(9), ...change })
    expect(refused).toMatchObject({ status: 400, body: { code: 'ValidationError', details } })
  }
  expect(await video.context.shares.optionsOf(uid)).toEqual(before)
})

test('a visitor of a stream with masks gets none of the recorded video as it is', async () => {
  const { video, get } = await opened()
  const masks = [{ x: 0, y: 0, w: 0.5, h: 0.5 }]
  await video.ask('PUT', `/v1/stream/${uid}/masks`, { cookie: video.admin, body: { masks } })
  const urls = [`recorded.m3u8?${all}`, `sub/recorded.m3u8?${all}`, `recorded/${t0 + 4000}.m4s`, 'sub/recorded/4.m4s']
  const answers = await Promise.all(urls.map(async (url) => (await get(base + url)).status))
  expect(answers).toEqual(urls.map(() => 404))
})

/** The tracks of a segment's only fragment, with the bytes of each sample. */
const tracksOf = (segment: Buffer) =>
  boxesIn(segment)
    .filter(({ type }) => type === 'moof')
    .flatMap((moof) => boxesIn(segment, moof.payload, moof.end))
    .flatMap((traf) => (traf.type === 'traf' ? (readSamples(segment, traf) ?? []) : []))
    .map(({ samples, ...track }) => ({
      ...track,
      samples: samples.map(({ at, size, ...sample }) => ({ ...sample, bytes: segment.subarray(at, at + size) })),
    }))

const dataOf = (segment: Buffer) => {
  const mdat = boxesIn(segment).find(({ type }) => type === 'mdat')
  return segment.toString('latin1', mdat?.payload, mdat?.end)
}

test('a segment is cut at the end, in the middle of a fragment', async () => {
  const { init, composer } = await camera('gate')
  const [first, second] = [0, 2].map((start) => composer.fragment(t0 / 1000 + start, 2, start))
  const whole = Buffer.concat([first ?? Buffer.alloc(0), second ?? Buffer.alloc(0)])
  expect(cutSegment(whole, init, 2)).toEqual(first)
  expect(cutSegment(whole, init, 4)).toEqual(whole)
  expect(cutSegment(whole, init, 2.5).subarray(0, first?.length)).toEqual(first)
  const cut = cutSegment(whole, init, 1)
  const seconds = 1
  expect(tracksOf(cut)).toEqual(
    tracksOf(first ?? Buffer.alloc(0)).map((track) => {
      const { timescale = 1 } = init.tracks.find(({ id }) => id === track.id) ?? {}
      const ticks = track.samples[0]?.duration ?? 1
      return { ...track, samples: track.samples.slice(0, Math.ceil((seconds * timescale) / ticks)) }
    }),
  )
  expect(readFragment(cut, init)).toMatchObject({ start: 0, duration: 1, frames: 25 })
  const [pictures] = tracksOf(cut)
  expect(dataOf(cut)).toBe(Buffer.concat((pictures?.samples ?? []).map(({ bytes }) => bytes)).toString('latin1'))
})

test('a cut keeps the pictures that the last ones need to be decoded, and no sound after the end', async () => {
  const { video, ...rest } = (await camera('gate')).init
  const sound = { ...video, id: video.id + 1, kind: 'audio', timescale: 2, editStart: 0 } as const
  const init = { ...rest, video, tracks: [video, sound] }
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [index, value] of values.entries()) bytes.writeInt32BE(value, index * 4)
    return bytes
  }
  const rows = [0, 2, -1, -1, 0].flatMap((offset, picture) => [picture + 1, offset * video.timescale])
  const traf = (header: Buffer, start: number, trun: Buffer) =>
    makeBox('traf', makeBox('tfhd', header), makeBox('tfdt', words(0, start)), makeBox('trun', trun))
  const pictures = traf(words(0x20008, video.id, video.timescale), video.editStart, words(0xa01, 5, 188, ...rows))
  const fragment = Buffer.concat([
    makeBox('moof', pictures, traf(words(0x20018, sound.id, 1, 1), 0, words(0x1, 10, 203))),
    makeBox('mdat', Buffer.from('abbcccddddeeeee0123456789')),
  ])
  const kept = (end: number) => {
    const cut = cutSegment(fragment, init, end)
    return [...tracksOf(cut).map(({ samples }) => samples.map(({ bytes }) => bytes.toString()).join(' ')), dataOf(cut)]
  }
  expect(kept(9)).toEqual(['a bb ccc dddd eeeee', '0 1 2 3 4 5 6 7 8 9', 'abbcccddddeeeee0123456789'])
  expect(kept(1)).toEqual(['a', '0 1', `a${'\0'.repeat(14)}01`])
  expect(kept(2)).toEqual(['a bb ccc', '0 1 2 3', `abbccc${'\0'.repeat(9)}0123`])
  expect(kept(3)).toEqual(['a bb ccc dddd', '0 1 2 3 4 5', `abbcccdddd${'\0'.repeat(5)}012345`])
  expect(cutSegment(Buffer.concat([fragment, fragment]), init, 9)).toHaveLength(2 * fragment.length)
})

test('a node that passes a call on says which range its caller is limited to', () => {
  const [a, b] = ['a', 'b'].map((id) => createSigning('a secret of sixteen', id, () => t0))
  const call = { method: 'GET', path: '/v1/stream/door' }
  const passed = (caller: NonNullable<Parameters<NonNullable<typeof a>['sign']>[2]>['caller']) =>
    b?.verify(call, a?.sign(call, 'b', { caller, ip: '192.0.2.1', isHttp2: false }))?.origin?.caller
  const share = { kind: 'share', streamUid: 'door' } as const
  const range = { from: t0, to: t0 + 5000, hasLive: false }
  for (const caller of [share, { ...share, range }, { ...share, needsPassword: true as const }])
    expect(passed(caller)).toEqual(caller)
})
