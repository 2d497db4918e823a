import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { h264, makeTape, picturesOf, tapes } from '../fixtures/tapes.ts'
import { decoded, logged, probed, segments, serve, startVideo, type VideoHarness } from '../fixtures/video.ts'

/** `isMuted`: the sound is announced, and none of it sent. */
type Piece = { seconds: number; sound?: readonly string[]; isMuted?: boolean }

/** MPEG-TS without the packets of its sound, of which ffmpeg makes the second track. */
const muted = (bytes: Buffer): Buffer => {
  const packets = Array.from({ length: bytes.length / 188 }, (_, index) =>
    bytes.subarray(index * 188, index * 188 + 188),
  )
  return Buffer.concat(packets.filter((packet) => (packet.readUInt16BE(1) & 0x1fff) !== 0x101))
}

const slicesPerSecond = 10

/** A camera that sends one piece after another, in real time. */
const startCamera = async (pieces: readonly Piece[]) => {
  const folder = tapes()
  let offset = 0
  const files = pieces.map(({ seconds, isMuted, ...rest }, index) => {
    const video = h264(25, '-output_ts_offset', String(offset))
    offset += seconds
    const bytes = readFileSync(makeTape(join(folder, `${index}.ts`), { video, seconds, ...rest }))
    return isMuted === true ? muted(bytes) : bytes
  })
  const bytes = Buffer.concat(files)
  const sliceBytes = Math.ceil(bytes.length / (offset * slicesPerSecond))
  let connections = 0
  const address = await serve((_request, response) => {
    connections += 1
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    let sent = 0
    const sending = setInterval(() => {
      response.write(bytes.subarray(sent, sent + sliceBytes))
      sent += sliceBytes
      if (sent >= bytes.length) clearInterval(sending)
    }, 1000 / slicesPerSecond)
    response.on('close', () => clearInterval(sending))
  })
  return { address: `${address}/`, connections: () => connections, pictures: () => files.flatMap(picturesOf) }
}

/** The recorded runs, each as a file of its own. A busy machine may begin one more. */
const runsOf = async ({ site }: VideoHarness, uid: string): Promise<Buffer[]> => {
  const found = await site.index.within(uid, 0, Date.now() + 60_000, 1000)
  const runs = [...Map.groupBy(found, ({ run }) => run)].map(async ([id, own]) => {
    const init = (await site.index.run(uid, id))?.init.bytes ?? Buffer.alloc(0)
    return Buffer.concat([init, ...(await Promise.all(own.map((segment) => site.read(uid, segment))))])
  })
  return Promise.all(runs)
}

/** The codecs of each run; equal neighbours once. */
const codecsOf = (runs: readonly Buffer[]): string[] =>
  runs.map((run) => probed(run).codecs.join(' ')).filter((codecs, index, all) => codecs !== all[index - 1])

const aac = ['-c:a', 'aac']

/** Of ffprobe and of the server. */
const connectionsNeeded = 2

test('sound that stops and returns in MPEG-TS takes no connection and no picture', async () => {
  const video = await startVideo()
  const camera = await startCamera([
    { seconds: 14, sound: [...aac, '-af', 'atrim=end=2'] },
    { seconds: 4 },
    { seconds: 15, sound: aac },
  ])
  const uid = await create(video, camera.address)
  await logged(video.site, uid, /^The source sends no sound: recording without it until it comes$/)
  await logged(video.site, uid, /^The source sends sound: recording it$/)
  await segments(video.site, uid, 3)

  expect(camera.connections()).toBe(connectionsNeeded)
  const runs = await runsOf(video, uid)
  expect(codecsOf(runs)).toEqual(['h264 aac'])
  expect(runs.length).toBeGreaterThanOrEqual(3)
  expect(runs.map(decoded)).toEqual(runs.map(() => ''))
  const recorded = runs.flatMap(picturesOf)
  expect(recorded).toEqual(camera.pictures().slice(0, recorded.length))
})

const mp2 = ['-c:a', 'mp2']

test.each<[string, Piece, readonly string[]]>([
  ['', { seconds: 6 }, aac],
  [', announced and encoded again,', { seconds: 6, sound: mp2, isMuted: true }, mp2],
])('sound that begins late%s in MPEG-TS is recorded by the same connection', async (_how, before, sound) => {
  const video = await startVideo()
  const camera = await startCamera([before, { seconds: 15, sound }])
  const uid = await create(video, camera.address)
  await logged(video.site, uid, /^The source sends sound: recording it$/)
  await segments(video.site, uid, 3)

  expect(camera.connections()).toBe(connectionsNeeded)
  const runs = await runsOf(video, uid)
  expect(codecsOf(runs)).toEqual(['h264', 'h264 aac'])
  const recorded = runs.flatMap(picturesOf)
  expect(recorded).toEqual(camera.pictures().slice(0, recorded.length))
})
