import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { filterText, overlayFilter, utc } from '../../../server/exports/overlay.ts'
import { boxesIn } from '../../../server/media/boxes.ts'
import {
  requestExport,
  at,
  difference,
  greys,
  verified,
  entriesOf,
  fileOf,
  ffprobeReport,
  untilMade,
} from '../fixtures/export-file.ts'
import { add, newFolder, open, record, t0 } from '../fixtures/tape.ts'
import { decoded, strips } from '../fixtures/video.ts'

const camera = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 10, { scene: 'yard' })
  await record(video, 20, 30, { scene: 'yard' })
  return video
}

test('an export is a ZIP of an MP4 with its index first, a signed manifest and its signature', async () => {
  const video = await camera()
  const { id, status } = await requestExport(video, [['door', 3, 26.5]], { more: { note: ' Theft ' } })
  expect(status).toBe(200)
  const done = await untilMade(video, id)
  const { bytes, headers } = await fileOf(video, id)
  expect(done).toEqual({
    id,
    status: 'ready',
    progress: 1,
    bytes: bytes.length,
    items: [{ streamId: 'door', streamName: 'door', startTime: at(3), endTime: at(26.5) }],
    sha256: createHash('sha256').update(bytes).digest('hex'),
    note: 'Theft',
    overlay: false,
    login: 'admin',
    failureReason: '',
    createTime: expect.any(String),
    expireTime: expect.any(String),
  })
  expect(Date.parse(done.expireTime) - Date.parse(done.createTime)).toBeGreaterThanOrEqual(14 * 86_400_000)
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(/^attachment; filename="export .*Z\.zip"/),
    etag: `"${done.sha256}"`,
    'accept-ranges': 'bytes',
  })
  const entries = await entriesOf(bytes)
  const name = `door ${at(2).slice(0, 19).replace('T', ' ').replaceAll(':', '-')}Z.mp4`
  expect([...entries.keys()]).toEqual([name, 'manifest.json', 'manifest.sig'])
  const { verdict, manifest, mismatches } = await verified(bytes)
  expect([verdict, mismatches]).toEqual(['unchanged', []])
  const movie = entries.get(name) ?? Buffer.alloc(0)
  expect(manifest).toMatchObject({
    id,
    login: 'admin',
    note: 'Theft',
    items: [
      {
        streamId: 'door',
        startTime: t0 + 3000,
        endTime: t0 + 26_500,
        gaps: [{ startTime: t0 + 10_000, endTime: t0 + 20_000 }],
      },
    ],
    files: [{ name, bytes: movie.length, item: 0, startTime: t0 + 2000, hasSound: true, width: 640 }],
  })
})

test('the MP4 has the requested range, frame by frame, from the keyframe before it to its exact end', async () => {
  const video = await camera()
  const { id } = await requestExport(video, [['door', 3, 26.4]])
  await untilMade(video, id)
  const { bytes } = await fileOf(video, id)
  const [movie = Buffer.alloc(0)] = (await entriesOf(bytes)).values()
  expect(boxesIn(movie).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
  const { format, streams, chapters, packets } = ffprobeReport(movie)
  const ofVideo = packets.filter((each: { codec_type: string }) => each.codec_type === 'video')
  // Eight seconds up to the gap, and 6.4 after it.
  expect(ofVideo.length).toBe(14.4 * 25)
  expect(Number(format.duration)).toBeCloseTo(14.4, 2)
  expect(Number(ofVideo[0].pts_time)).toBe(0)
  expect(format.tags).toMatchObject({
    title: 'door',
    date: at(2),
    creation_time: at(2).replace('.000Z', '.000000Z'),
  })
  expect(streams.map((each: { codec_name: string }) => each.codec_name).slice(0, 2)).toEqual(['h264', 'aac'])
  expect(
    chapters.map((each: { start_time: string; tags: { title: string } }) => [+each.start_time, each.tags.title]),
  ).toEqual([
    [0, at(2)],
    [8, at(20)],
  ])
  expect(decoded(movie)).toBe('')
  const shown = strips(movie)
  const second = (moment: number) => Math.round((t0 / 1000 + moment) * 25) % 2 ** 32
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([ofVideo.length, second(2), second(26.4) - 1])
})

test('a run that came from an ingest host, by value, is exported like any other', async () => {
  const video = await camera()
  const { run } = video.site.index
  vi.spyOn(video.site.index, 'run').mockImplementation(async (uid, id) => {
    const found = await run(uid, id)
    return found && { ...found, init: { ...found.init, video: { ...found.init.video } } }
  })
  const { id } = await requestExport(video, [['door', 0, 4]])
  await untilMade(video, id)
  const [movie = Buffer.alloc(0)] = (await entriesOf((await fileOf(video, id)).bytes)).values()
  const { packets, chapters } = ffprobeReport(movie)
  expect(packets.filter((each: { codec_type: string }) => each.codec_type === 'video').length).toBe(100)
  expect(chapters.length).toBe(1)
})

test('an overlay draws time and camera into the pictures, at the same times', async () => {
  const video = await camera()
  const { id } = await requestExport(video, [['door', 0, 4]], { more: { overlay: true, timezone: 'Europe/Moscow' } })
  expect(await untilMade(video, id)).toMatchObject({ status: 'ready', overlay: true })
  const { bytes } = await fileOf(video, id)
  const { manifest, verdict } = await verified(bytes)
  expect([verdict, manifest?.overlay, manifest?.timezone, manifest?.files[0]?.frames]).toEqual([
    'unchanged',
    true,
    'Europe/Moscow',
    100,
  ])
  const [drawn = Buffer.alloc(0)] = (await entriesOf(bytes)).values()
  const plain = await requestExport(video, [['door', 0, 4]])
  await untilMade(video, plain.id)
  const [copied = Buffer.alloc(0)] = (await entriesOf((await fileOf(video, plain.id)).bytes)).values()
  const [one, other] = [ffprobeReport(drawn), ffprobeReport(copied)]
  const timesOf = ({ packets }: typeof one) =>
    packets.map((each: { codec_type: string; pts_time: string }) => `${each.codec_type} ${each.pts_time}`).toSorted()
  expect(timesOf(one)).toEqual(timesOf(other))
  expect([one.streams[0].width, one.streams[0].height]).toEqual([other.streams[0].width, other.streams[0].height])
  expect(decoded(drawn)).toBe('')
  const differs = (area: string) => difference(greys(one.file, area), greys(other.file, area))
  expect(differs('crop=190:16:10:8')).toBeGreaterThan(20)
  expect(differs('crop=30:16:10:28')).toBeGreaterThan(20)
  expect(differs('crop=300:200:300:100')).toBeLessThan(5)
})

test('no name of a camera is interpreted by a filter', () => {
  const name = String.raw`Gate's "50%" \ [a], b; c: d=%{pts}`
  expect(filterText(name)).toBe(String.raw`Gate\\\'s "50%" \\\\ \[a\]\, b\; c\\: d=%{pts}`)
  for (const odd of [name, "'", '\\', ':', '%', '[]', ';', ',', '\n\0', ' ', 'Двор', '@file', 'a=b:x=1']) {
    const args = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=s=320x180:r=25:d=0.04',
      '-vf',
      overlayFilter(odd, 1.5, utc),
    ]
    const { status, stderr } = spawnSync('ffmpeg', [...args, '-f', 'null', '-'])
    expect([odd, status, stderr.toString()]).toEqual([odd, 0, ''])
  }
})

test('several cameras are a file each, and the key is of the server alone', async () => {
  const video = await camera()
  await add(video, 'yard')
  await record(video, 0, 8, { of: 'yard', scene: 'yard' })
  const { id } = await requestExport(video, [
    ['door', 0, 6],
    ['yard', 0, 6],
    ['door', 0, 6],
  ])
  await untilMade(video, id)
  const { bytes } = await fileOf(video, id)
  const { manifest, verdict } = await verified(bytes)
  expect(verdict).toBe('unchanged')
  expect(manifest?.files.map(({ name, item }) => [name.replace(/ \d{4}-.*Z/, ''), item])).toEqual([
    ['door.mp4', 0],
    ['yard.mp4', 1],
    ['door (2).mp4', 2],
  ])
  const key = join(video.context.dataDir, 'export.key')
  expect(existsSync(key) && statSync(key).mode & 0o777).toBe(0o600)
  const list = await video.ask('GET', '/v1/exports', { cookie: video.admin })
  expect(Object(list.body).publicKey).toBe(manifest?.publicKey)
  expect((await verified(bytes, Object(list.body).publicKey)).verdict).toBe('unchanged')
  expect((await verified(bytes, Buffer.alloc(32).toString('base64'))).verdict).toBe('otherKey')
})
