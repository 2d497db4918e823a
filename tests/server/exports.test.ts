import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boxesIn } from '../../server/media/boxes.ts'
import { askFor, at, checked, entriesOf, fileOf, lookedAt, made } from './export-file.ts'
import { add, newFolder, open, record, t0 } from './tape.ts'
import { decoded, strips } from './video.ts'

const camera = async () => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 10, { scene: 'yard' })
  await record(video, 20, 30, { scene: 'yard' })
  return video
}

test('an export is a ZIP of an MP4 with its index first, a signed manifest, and what it says of both', async () => {
  const video = await camera()
  const { id, status } = await askFor(video, [['door', 3, 26.5]], { more: { note: ' Theft ' } })
  expect(status).toBe(200)
  const done = await made(video, id)
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
  const { verdict, manifest, faults } = await checked(bytes)
  expect([verdict, faults]).toEqual(['unchanged', []])
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

test('the movie has what was asked for, frame by frame, from the keyframe before it to its exact end', async () => {
  const video = await camera()
  const { id } = await askFor(video, [['door', 3, 26.4]])
  await made(video, id)
  const { bytes } = await fileOf(video, id)
  const [movie = Buffer.alloc(0)] = (await entriesOf(bytes)).values()
  expect(boxesIn(movie).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
  const { format, streams, chapters, packets } = lookedAt(movie)
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

test('several cameras are a file each, and the key is of the server alone', async () => {
  const video = await camera()
  await add(video, 'yard')
  await record(video, 0, 8, { of: 'yard', scene: 'yard' })
  const { id } = await askFor(video, [
    ['door', 0, 6],
    ['yard', 0, 6],
    ['door', 0, 6],
  ])
  await made(video, id)
  const { bytes } = await fileOf(video, id)
  const { manifest, verdict } = await checked(bytes)
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
  expect((await checked(bytes, Object(list.body).publicKey)).verdict).toBe('unchanged')
  expect((await checked(bytes, Buffer.alloc(32).toString('base64'))).verdict).toBe('otherKey')
})
