import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const run = (args: readonly string[], input?: Buffer): Buffer => {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], {
    maxBuffer: 1e9,
    ...(input === undefined ? {} : { input }),
  })
  if (status !== 0) throw new Error(stderr.toString())
  return stdout
}

/** A folder for sources that are encoded once and played from files. */
export const tapes = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-cameras-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Encodes a source; `video`: arguments of the video codec, `sound`: of the audio. */
export const makeTape = (
  file: string,
  options: { size?: string; rate?: number; seconds?: number; video: readonly string[]; sound?: readonly string[] },
): string => {
  const { size = '320x180', rate = 25, seconds = 2, video, sound } = options
  run([
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
    ...(sound === undefined
      ? []
      : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:d=${seconds}`, ...sound]),
    ...video,
    file,
  ])
  return file
}

/** Arguments for ffmpeg to play a tape in a loop, in real time and without encoding. */
export const played = (file: string, ...format: string[]): string[] => [
  '-nostdin',
  '-v',
  'error',
  '-re',
  '-stream_loop',
  '-1',
  '-i',
  file,
  '-c',
  'copy',
  ...format,
  'pipe:1',
]

export const h265 = (gop: number, more = ''): string[] => [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  `log-level=error:keyint=${gop}:min-keyint=${gop}:scenecut=0:open-gop=0:bframes=0${more}`,
  '-pix_fmt',
  'yuv420p',
]

export const h264 = (gop: number, ...more: string[]): string[] => [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  String(gop),
  '-keyint_min',
  String(gop),
  '-sc_threshold',
  '0',
  '-pix_fmt',
  'yuv420p',
  ...more,
]

/** A hash of each slice of H.265 in a file, without parameter sets and messages. */
export const slicesOf = (source: string | Buffer): string[] => {
  const isFile = typeof source === 'string'
  const from = isFile ? source : 'pipe:0'
  const args = [
    '-i',
    from,
    '-map',
    '0:v',
    '-c',
    'copy',
    '-bsf:v',
    'filter_units=pass_types=0-31',
    '-f',
    'hevc',
    'pipe:1',
  ]
  const bytes = run(args, isFile ? undefined : source)
  const starts: number[] = []
  for (let at = bytes.indexOf('000001', 0, 'hex'); at !== -1; at = bytes.indexOf('000001', at + 3, 'hex'))
    starts.push(at + 3)
  return starts.map((start, index) => {
    const end = (starts[index + 1] ?? bytes.length + 3) - 3
    const unit = bytes.subarray(start, end)
    // A start code of four bytes leaves a zero at the end of the unit before.
    const whole = unit.at(-1) === 0 ? unit.subarray(0, -1) : unit
    return createHash('sha256').update(whole).digest('hex').slice(0, 16)
  })
}

const timesIn = (bytes: Buffer, entry: 'frame' | 'packet'): number[] => {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    `${entry}=pts_time`,
    '-of',
    'csv=p=0',
    '-i',
    'pipe:0',
  ]
  const { stdout } = spawnSync('ffprobe', args, { input: bytes, maxBuffer: 1e8 })
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number.parseFloat(line))
}

/** The presentation times of the frames of an MP4, in seconds. */
export const timesOf = (bytes: Buffer): number[] => timesIn(bytes, 'frame')

/** The same in decoding order, including frames that can't be decoded alone. */
export const packetTimesOf = (bytes: Buffer): number[] => timesIn(bytes, 'packet')
