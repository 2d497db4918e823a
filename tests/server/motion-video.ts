import { spawnSync } from 'node:child_process'
import { newRunKey, runOf } from '../../server/archive/format/run.ts'
import { writeChunk } from '../../server/archive/repair/write-chunk.ts'
import { boxesIn } from '../../server/media/boxes.ts'
import { fragmentArguments } from '../../server/media/encoding.ts'
import { readFragment, readInit, type Init } from '../../server/media/fragments.ts'
import type { VideoHarness } from './video.ts'

export const t0 = Date.parse('2026-11-21T07:00:00.000Z')

type Video = { init: Init; segments: Buffer[] }
type Move = { from: number; to: number; x: number; y: number }

/** The box moves to the right by 20 pixels a second. */
const boxAt = ({ from, to, x, y }: Move): string => {
  const moved = `${x}+20*(min(max(t\\,${from})\\,${to})-${from})`
  return `overlay=x='${moved}':y=${y}`
}

/**
 * A gray picture of 640 × 360 with a white box of 60 pixels, which moves between two seconds and rests otherwise; a
 * segment every two seconds.
 */
export const movingBox = (move: Move, seconds: number, codec: readonly string[] = ['-c:v', 'libx264']): Video => {
  const source = `color=c=0x505050:s=640x360:r=10:d=${seconds}[a];color=c=white:s=60x60:r=10:d=${seconds}[b];[a][b]${boxAt(move)}`
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    [
      ...'-nostdin -v error -f lavfi -i'.split(' '),
      source,
      ...codec,
      ...'-preset ultrafast -pix_fmt yuv420p -g 20 -keyint_min 20 -sc_threshold 0 -threads 1'.split(' '),
      ...fragmentArguments,
    ],
    { maxBuffer: 1e8 },
  )
  const boxes = boxesIn(stdout)
  const isHead = ({ type }: { type: string }): boolean => type === 'ftyp' || type === 'moov'
  const init = readInit(Buffer.concat(boxes.filter(isHead).map(({ start, end }) => stdout.subarray(start, end))))
  if (init === undefined) throw new Error(stderr.toString())
  const moofs = boxes.filter(({ type }) => type === 'moof')
  const segments = moofs.map(({ start }, index) => stdout.subarray(start, moofs[index + 1]?.start ?? stdout.length))
  if (segments.some((segment) => readFragment(segment, init) === undefined)) throw new Error('no picture')
  return { init, segments }
}

/** Records a video in chunks of so many segments, `offset` seconds after `t0`. */
export const recordVideo = async (
  { site }: VideoHarness,
  uid: string,
  { init, segments }: Video,
  { offset = 0, segmentsEach = 15 }: { offset?: number; segmentsEach?: number } = {},
): Promise<void> => {
  const { recording } = await site.index.open(uid)
  const run = runOf(site.runId(), newRunKey(), init)
  for (let first = 0; first < segments.length; first += segmentsEach) {
    const parts = segments.slice(first, first + segmentsEach)
    await writeChunk(
      { ...site, uid },
      {
        recording,
        run,
        contents: parts,
        segments: parts.map((part, index) => {
          const second = (first + index) * 2
          const start = t0 + (offset + second) * 1000
          return { start, finish: start + 2000, duration: 2, mediaStart: second, bytes: part.length }
        }),
      },
    )
  }
}
