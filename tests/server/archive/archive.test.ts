import * as HLS from 'hls-parser'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { dispositionOf } from '../../../server/archive/playback/download.ts'
import { hourFolder, streamFolder, writeWhole } from '../../../server/storage/folders.ts'
import { writeChunk } from '../../../server/archive/repair/write-chunk.ts'
import { removeStored } from '../../../server/archive/index/removing.ts'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { createSceneComparison } from '../../../server/archive/playback/scene-changes.ts'
import { lumaOf } from '../../../server/media/picture.ts'
import { createRetention } from '../../../server/archive/retention/retention.ts'
import type { SegmentIndex } from '../../../server/archive/index/segment-index.ts'
import { boxesIn } from '../../../server/media/boxes.ts'
import { fragmentArguments, h264Arguments } from '../../../server/media/encoding.ts'
import { readInit, type Init } from '../../../server/media/fragments.ts'
import { createBackdate } from '../../../server/demo/backdate.ts'
import { createComposer, type Composer } from '../../../server/demo/composer.ts'
import { scenes } from '../../../server/demo/scenes.ts'
import { drawStills } from '../../../server/demo/stills.ts'
import { isInBucket } from '../fixtures/bucket.ts'
import { ffprobeReport } from '../fixtures/export-file.ts'
import { row } from '../fixtures/paused-stream.ts'
import { decoded, probed, sliceTypes, startVideo, strips, widthsOf, type VideoHarness } from '../fixtures/video.ts'

const t0 = Date.parse('2026-11-21T07:00:00.000Z')
const signal = new AbortController().signal
const otherSize = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=2']
const drawn = new Map<string, { init: Init; composer: Composer }>()

beforeAll(async () => {
  for (const [name, scene] of scenes) {
    if (name === 'warehouse') continue
    const stills = await drawStills(scene, t0 / 1000, signal)
    drawn.set(name, { init: stills.init, composer: createComposer(scene, stills) })
  }
})

const camera = (name: string) => {
  const found = drawn.get(name)
  if (found === undefined) throw new Error(name)
  return found
}

/** A paused stream, and stretches of its archive: seconds after 07:00, drawn like the scene of that name. */
const recorded = async (ranges: readonly [name: string, from: number, to: number][], chunkSeconds = 60) => {
  const video = await startVideo()
  const uid = 'door'
  await video.site.add({ ...row, uid, name: 'Door', source: 'rtsp://192.0.2.1/x' })
  const { index } = video.site
  const { recording } = await index.open(uid)
  const archive = { ...video.site, uid }
  for (const [name, from, to] of ranges) {
    const { init, composer } = camera(name)
    const run = runOf(video.site.runId(), newRunKey(), init)
    for (let begin = from; begin < to; begin += chunkSeconds) {
      const seconds: number[] = []
      for (let second = begin; second < Math.min(begin + chunkSeconds, to); second += 2) seconds.push(second)
      const parts = seconds.map((second) => composer.fragment(t0 / 1000 + second, 2, second - from))
      const segments = seconds.map((second, position) => ({
        start: t0 + second * 1000,
        finish: t0 + second * 1000 + 2000,
        duration: 2,
        mediaStart: second - from,
        bytes: parts[position]?.length ?? 0,
      }))
      await writeChunk(archive, { recording, run, segments, contents: parts })
    }
  }
  return { video, uid, base: `/v1/stream/${uid}/archive` }
}

const at = (seconds: number): string => new Date(t0 + seconds * 1000).toISOString()
const range = (from: number, to: number): string => `start_time=${at(from)}&end_time=${at(to)}`
const get = (video: VideoHarness, url: string) => video.ask('GET', url, { cookie: video.admin })
const bytesOf = async ({ app, admin }: VideoHarness, url: string): Promise<Buffer> =>
  (await app.inject({ url, headers: { cookie: admin, host: 'localhost' } })).rawPayload

const mediaOf = async (video: VideoHarness, url: string) => {
  const master = HLS.parse((await bytesOf(video, url)).toString())
  if (!master.isMasterPlaylist) throw new Error('not multivariant')
  const folder = url.slice(0, url.lastIndexOf('/'))
  const text = (await bytesOf(video, `${folder}/${master.variants[0]?.uri}`)).toString()
  const media = HLS.parse(text)
  if (media.isMasterPlaylist) throw new Error('not media')
  const parts: Buffer[] = []
  for (const segment of media.segments) {
    if (segment.map?.uri !== undefined && (segment.discontinuity || parts.length === 0))
      parts.push(await bytesOf(video, `${folder}/${segment.map.uri}`))
    parts.push(await bytesOf(video, `${folder}/${segment.uri}`))
  }
  return { master, media, text, parts }
}

describe('the archive playlist', () => {
  test('has the segments of the range, from the one that contains its start, each with its date; a discontinuity at each gap', async () => {
    const { video, base } = await recorded([
      ['gate', 0, 20],
      ['gate', 60, 80],
    ])
    const { media, text, master } = await mediaOf(video, `${base}/index.m3u8?${range(5, 65)}`)
    expect(media.segments.map((each) => each.programDateTime?.toISOString())).toEqual(
      [4, 6, 8, 10, 12, 14, 16, 18, 60, 62, 64].map(at),
    )
    expect(media.segments.map((each) => each.discontinuity ?? false)).toEqual([
      ...Array.from({ length: 8 }, () => false),
      true,
      false,
      false,
    ])
    expect(text.match(/#EXT-X-MAP/g)).toHaveLength(2)
    expect(text.trimEnd().endsWith('#EXT-X-ENDLIST')).toBe(true)
    expect(master.variants[0]?.codecs).toMatch(/^avc1\.[0-9a-f]{6}$/)
  })

  test('a range that ends in the future ends with what is recorded', async () => {
    const { video, base } = await recorded([['gate', 0, 10]])
    const text = (await bytesOf(video, `${base}/index.m3u8?${range(0, 100)}`)).toString()
    expect(text).toContain(encodeURIComponent(at(10)))
  })

  test('runs with and without sound are served without it, and decode', async () => {
    const { video, base } = await recorded([
      ['yard', 0, 6],
      ['gate', 6, 12],
    ])
    const { master, parts } = await mediaOf(video, `${base}/index.m3u8?${range(0, 12)}`)
    expect(master.variants[0]?.codecs).toMatch(/^avc1\.[0-9a-f]{6}$/)
    const [init = Buffer.alloc(0)] = parts
    expect(readInit(init)?.tracks.map((track) => track.kind)).toEqual(['video'])
    expect(decoded(Buffer.concat(parts.slice(0, 4)))).toBe('')
    const { master: loud } = await mediaOf(video, `${base}/index.m3u8?${range(0, 6)}`)
    expect(loud.variants[0]?.codecs).toMatch(/,mp4a\.40\.2$/)
  })

  test.each([
    ['nothing recorded', range(500, 600), 404, 'NotFound'],
    ['longer than playlistMaxSeconds', range(0, 604_801), 400, 'TimeRangeIsTooLong'],
    ['the wrong way round', range(10, 5), 400, 'ValidationError'],
    ['half a stretch', `start_time=${at(0)}`, 400, 'ValidationError'],
    ['no time at all', 'start_time=yesterday&end_time=today', 400, 'ValidationError'],
  ])('%s', async (_name, query, status, code) => {
    const { video, base } = await recorded([['gate', 0, 4]])
    expect(await get(video, `${base}/index.m3u8?${query}`)).toMatchObject({ status, body: { code } })
  })
})

test('ranges say what is recorded and what is not, for the requested period', async () => {
  const { video, base } = await recorded([
    ['gate', 0, 20],
    ['gate', 20, 40],
    ['gate', 60, 80],
  ])
  const { body } = await get(video, `${base}/ranges?${range(-10, 70)}`)
  expect(body).toEqual({
    period: { startTime: at(-10), endTime: at(70) },
    ranges: [
      { date: at(-10), status: 0 },
      { date: at(0), status: 1 },
      { date: at(40), status: 0 },
      { date: at(60), status: 1 },
    ],
  })
  expect((await get(video, `${base}/ranges?${range(200, 300)}`)).body).toMatchObject({
    ranges: [{ date: at(200), status: 0 }],
  })
  expect(await get(video, `${base}/ranges?${range(0, 10_801)}`)).toMatchObject({
    status: 400,
    body: { code: 'TimeRangeIsTooLong' },
  })
  expect((await get(video, `${base}/stats`)).body).toEqual({ period: { startTime: at(0), endTime: at(80) } })
})

test('days are those of the requested time zone', async () => {
  const { video, base } = await recorded([['gate', 0, 4]])
  const days = async (timezone: string) =>
    (await get(video, `${base}/available-days?${range(-90_000, 90_000)}&timezone=${encodeURIComponent(timezone)}`)).body
  expect(await days('UTC')).toEqual({ days: ['2026-11-21'] })
  expect(await days('Pacific/Honolulu')).toEqual({ days: ['2026-11-20'] })
  expect(await days('Mars/Olympus')).toMatchObject({ code: 'ValidationError' })
})

test('a day is listed if the only video of it is the end of a segment that began the day before', async () => {
  const { video, base } = await recorded([['gate', 61_199, 61_201]])
  expect((await get(video, `${base}/available-days?${range(-90_000, 90_000)}&timezone=UTC`)).body).toEqual({
    days: ['2026-11-21', '2026-11-22'],
  })
})

describe('a download', () => {
  test('joins runs over a gap, has the right pictures, and announces its size and duration', async () => {
    const { video, base } = await recorded([
      ['yard', 0, 6],
      ['yard', 60, 66],
    ])
    const reply = await video.app.inject({
      url: `${base}/download?${range(0, 100)}&timezone_offset=180`,
      headers: { cookie: video.admin, host: 'localhost' },
    })
    expect(reply.headers['content-type']).toBe('video/mp4')
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="Door 2026-11-21 10-00-00 +03-00.mp4"; filename*=UTF-8''Door%202026-11-21%2010-00-00%20%2B03-00.mp4`,
    )
    expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
    expect(decoded(reply.rawPayload)).toBe('')
    expect(probed(reply.rawPayload)).toMatchObject({ packets: 300, codecs: ['h264', 'aac'] })
    expect(probed(reply.rawPayload).duration).toBeCloseTo(12.1, 1)
    const first = (t0 / 40) % 2 ** 32
    const expected = Array.from({ length: 300 }, (_, frame) => first + frame + (frame >= 150 ? 54 * 25 : 0))
    expect(strips(reply.rawPayload)).toEqual(expected)
  })

  test('has a chapter for each recorded fragment where there are gaps, named as in an export', async () => {
    const { video, base } = await recorded([
      ['yard', 0, 6],
      ['yard', 60, 66],
    ])
    const chaptersIn = async (to: number) =>
      ffprobeReport(await bytesOf(video, `${base}/download?${range(0, to)}`)).chapters.map(
        ({ start_time, tags }: { start_time: string; tags: { title: string } }) => [Number(start_time), tags.title],
      )
    expect([await chaptersIn(100), await chaptersIn(6)]).toEqual([
      [
        [0, at(0)],
        [6.1, at(60)],
      ],
      [],
    ])
  })

  test('ends with the last picture before its end, and announces its size and duration', async () => {
    const { video, base } = await recorded([['yard', 0, 8]])
    const ask = (method: 'GET' | 'HEAD') =>
      video.app.inject({
        method,
        url: `${base}/download?${range(1, 4.4)}`,
        headers: { cookie: video.admin, host: 'localhost' },
      })
    const [whole, head] = [await ask('GET'), await ask('HEAD')]
    const lengths = [whole, head].map(({ headers }) => Number(headers['content-length']))
    expect(lengths).toEqual([whole.rawPayload.length, whole.rawPayload.length])
    expect(decoded(whole.rawPayload)).toBe('')
    expect(probed(whole.rawPayload).duration).toBeCloseTo(4.5, 1)
    const first = (t0 / 40) % 2 ** 32
    expect(strips(whole.rawPayload)).toEqual(Array.from({ length: 110 }, (_, frame) => first + frame))
  })

  test('reads nothing in advance if its size can not be announced', async () => {
    const { video, base } = await recorded([
      ['yard', 0, 4],
      ['gate', 4, 8],
    ])
    const read = vi.spyOn(video.site, 'read')
    const reply = await video.app.inject({
      method: 'HEAD',
      url: `${base}/download?${range(0, 7)}`,
      headers: { cookie: video.admin, host: 'localhost' },
    })
    expect([reply.statusCode, reply.headers['content-length'], read.mock.calls.length]).toEqual([200, undefined, 0])
  })

  test('has different names for the two hours that a clock shows twice', () => {
    const twice = [0, 1].map((hours) => Date.UTC(2026, 9, 25, hours, 30))
    const names = twice.map(
      (from, index) => /filename="([^"]+)"/.exec(dispositionOf('Gate', from, [120, 60][index] ?? 0))?.[1],
    )
    expect(names).toEqual(['Gate 2026-10-25 02-30-00 +02-00.mp4', 'Gate 2026-10-25 02-30-00 +01-00.mp4'])
    expect(dispositionOf('Gate', twice[0] ?? 0, -210)).toContain('filename="Gate 2026-10-24 21-00-00 -03-30.mp4"')
  })

  test('continues where the camera changed its picture size', async () => {
    const { video, uid, base } = await recorded([
      ['gate', 0, 6],
      ['gate', 8, 12],
    ])
    const film = spawnSync('ffmpeg', [...otherSize, ...h264Arguments, '-g', '25', ...fragmentArguments], {
      maxBuffer: 1e8,
    }).stdout
    const boxes = boxesIn(film)
    const bytesOfTypes = (...types: string[]) =>
      Buffer.concat(boxes.filter((box) => types.includes(box.type)).map((box) => film.subarray(box.start, box.end)))
    const init = readInit(bytesOfTypes('ftyp', 'moov'))
    if (init === undefined) throw new Error('no init')
    const { index, runId } = video.site
    const { recording } = await index.open(uid)
    const start = t0 + 6000
    const media = bytesOfTypes('moof', 'mdat')
    const segments = [{ start, finish: start + 2000, duration: 2, mediaStart: 0, bytes: media.length }]
    const run = runOf(runId(), newRunKey(), init)
    await writeChunk({ ...video.site, uid }, { recording, run, segments, contents: [media] })
    const whole = await bytesOf(video, `${base}/download?${range(0, 12)}`)
    expect(decoded(whole)).toBe('')
    expect(probed(whole).packets).toBe(300)
    expect(widthsOf(whole)).toEqual([
      ...Array.from({ length: 150 }, () => 640),
      ...Array.from({ length: 50 }, () => 320),
      ...Array.from({ length: 100 }, () => 640),
    ])
  })

  test('longer than archiveDownloadMaxSeconds, or of nothing, is refused', async () => {
    const { video, base } = await recorded([['gate', 0, 4]])
    expect(await get(video, `${base}/download?${range(0, 3601)}`)).toMatchObject({
      status: 400,
      body: { code: 'TimeRangeIsTooLong' },
    })
    expect((await get(video, `${base}/download?${range(100, 200)}`)).status).toBe(404)
  })
})

test('a preview shows the picture of its moment, and nothing in a gap', async () => {
  const { video, uid } = await recorded([['gate', 0, 10]])
  const picture = await video.app.inject({
    url: `/v1/stream/preview?stream_id=${uid}&time=${at(5.2)}`,
    headers: { cookie: video.admin, host: 'localhost' },
  })
  expect(picture.headers['content-type']).toBe('image/jpeg')
  expect(strips(picture.rawPayload)).toEqual([((t0 + 5200) / 40) % 2 ** 32])
  expect((await get(video, `/v1/stream/preview?stream_id=${uid}&time=${at(50)}`)).status).toBe(204)
})

describe('what is kept', () => {
  test('is deleted by the depth of its stream, rows before files', async () => {
    const { video, uid } = await recorded([['gate', 0, 20]], 2)
    const retention = createRetention({ ...video.context, now: () => t0 + 3_600_000 + 10_000 }, video.site)
    await video.site.store.change(uid, (row) => ({ ...row, depthHours: 1 }))
    await retention.sweep()
    await retention.stop()
    expect(await video.site.index.period(uid)).toEqual({ startTime: t0 + 10_000, endTime: t0 + 20_000 })
    expect(readdirSync(join(streamFolder(video.context.dataDir, uid), hourFolder(t0)))).toHaveLength(5)
  })

  test.skipIf(isInBucket)('the oldest of all goes while the disk is nearly full, and no longer', async () => {
    const { video, uid } = await recorded([['gate', 0, 20]])
    let freeBytes = 0
    const readDisk = async () => {
      freeBytes += 1e8
      return { freeBytes, totalBytes: 2e10 }
    }
    const retention = createRetention(video.context, video.site, readDisk)
    await retention.sweep()
    await retention.stop()
    expect(await video.site.index.period(uid)).toBeUndefined()
    expect(existsSync(join(streamFolder(video.context.dataDir, uid), hourFolder(t0)))).toBe(false)
    expect((await video.site.logs.read(uid, undefined)).at(-1)?.message).toMatch(/disk is nearly full/)
  })

  test('files are deleted first if the disk is too full to delete a row', async () => {
    const { video, uid } = await recorded([['gate', 0, 10]], 2)
    const folder = join(streamFolder(video.context.dataDir, uid), hourFolder(t0))
    const filesThen: number[] = []
    const index: SegmentIndex = {
      ...video.site.index,
      async remove(...rows) {
        filesThen.push(readdirSync(folder).length)
        if (filesThen.length === 1) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
        return video.site.index.remove(...rows)
      },
    }
    const { recording } = await index.open(uid)
    await removeStored(index, video.site.volumes, await index.oldest(recording, t0 + 1e9, 2))
    expect(filesThen).toEqual([5, 3])
    expect(await index.period(uid)).toEqual({ startTime: t0 + 4000, endTime: t0 + 10_000 })
  })

  test('demo recordings are made even if all of them are removed meanwhile', async () => {
    const { video, uid } = await recorded([['gate', 0, 10]])
    const { index } = video.site
    const [scene, { recording }] = [scenes.get('gate'), await index.open(uid)]
    if (scene === undefined) throw new Error('no scene')
    const swept: SegmentIndex = {
      ...index,
      async startingAt(...asked) {
        await index.remove(recording, await index.oldest(recording, t0, 10))
        return index.startingAt(...asked)
      },
    }
    const range = { from: t0 / 1000 - 3600, to: t0 / 1000 - 3110 }
    const backdate = await createBackdate({ ...video.site, index: swept }, uid, scene, range.from, signal)
    await backdate(range, undefined)
    const last = { from: range.to * 1000 - 10_000, to: range.to * 1000 }
    expect(await index.recordedRanges(uid, t0 - 7_200_000, t0)).toEqual([last])
    expect((await index.runOfEachKind(uid, last.from, last.to)).length).toBe(1)
  })

  test('a file that could not be written whole leaves nothing', async () => {
    const { video, uid } = await recorded([['gate', 0, 10]])
    const folder = join(streamFolder(video.context.dataDir, uid), hourFolder(t0))
    await expect(writeWhole(folder, [Buffer.from('a folder is in the way')])).rejects.toThrow('rename')
    expect(readdirSync(dirname(folder))).toEqual([hourFolder(t0)])
  })
})

test('every frame of a composed archive carries its own time, decodes without a complaint, and is a keyframe or a predicted one', () => {
  for (const [name, { init, composer }] of drawn) {
    const from = t0 / 1000 - ((t0 / 1000) % 97) - 4
    const parts = Array.from({ length: 12 }, (_, position) => composer.fragment(from + position * 2, 2, position * 2))
    const film = Buffer.concat([init.bytes, ...parts])
    expect(decoded(film), name).toBe('')
    // Parsers take a picture with any intra slice for a keyframe.
    expect(sliceTypes(film), name).toEqual(['intra of a keyframe', 'predicted'])
    expect(strips(film), name).toEqual(Array.from({ length: 600 }, (_, frame) => (from * 25 + frame) % 2 ** 32))
  }
})

test('a car that passes is a change of the scene; a walker and the clock are not', async () => {
  const { init, composer } = camera('gate')
  const pass = Math.ceil(t0 / 1000 / 97) * 97
  const seconds = [-12, -8, -4, -2, 3, 5, 12, 14, 16]
  const remember = createSceneComparison()
  const found: boolean[] = []
  for (const second of seconds) {
    const load = async () => ({ init, segment: composer.fragment(pass + second, 2, 0), mediaStart: 0 })
    const luma = await lumaOf({ key: String(second), caller: 'test', load })
    found.push(luma !== undefined && remember(luma))
  }
  expect(found).toEqual(seconds.map((second) => second > 0 && second < 9))
})
