import { spawnSync } from 'node:child_process'
import type { Dice } from '../values.ts'

/** Targets of sources: `own` is the camera's origin, `canary` a port that must not be called by any protocol. */
export type World = { own: string; canary: number; media: Media }

/** Short valid recordings, to be changed. */
export type Media = { ts: Buffer; mp4: Buffer; jpeg: Buffer }

const drawn = (...args: string[]): Buffer =>
  spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10', ...args, 'pipe:1'], {
    maxBuffer: 1e8,
  }).stdout

const h264 = ['-t', '2', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p']

export const makeMedia = (): Media => ({
  ts: drawn(...h264, '-f', 'mpegts'),
  mp4: drawn(...h264, '-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'),
  jpeg: drawn('-frames:v', '1', '-f', 'mjpeg'),
})

/** Bytes with a meaning for some parser. */
const marks: readonly [string, ...string[]] = [
  '\r',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  '$',
  '\r\n\r\n',
  'RTSP/1.0 302 ',
  'HTTP/1.1 ',
  '#EXTM3U\n',
  '\xff\xff\xff\xff',
  '\x80',
  '0'.repeat(400),
  'RTSP/'.repeat(300),
  '9'.repeat(30),
  '-1',
  '%00',
  '\x47',
  '$\0\xff\xff',
  '{',
  '"',
  ',',
  '\u0001',
]

const cutAt = (bytes: Buffer, dice: Dice): Buffer => bytes.subarray(0, dice.below(bytes.length + 1))

const flipped = (bytes: Buffer, dice: Dice): Buffer => {
  const changed = Buffer.from(bytes)
  const count = 1 + dice.below(8)
  for (let turn = 0; turn < count && changed.length > 0; turn += 1) {
    const index = dice.below(changed.length)
    changed[index] = (changed[index] ?? 0) ^ (1 << dice.below(8))
  }
  return changed
}

const withMark = (bytes: Buffer, dice: Dice): Buffer => {
  const index = dice.below(Math.min(bytes.length, 2000) + 1)
  return Buffer.concat([bytes.subarray(0, index), Buffer.from(dice.pick(marks), 'latin1'), bytes.subarray(index)])
}

const repeated = (bytes: Buffer, dice: Dice): Buffer => {
  const from = dice.below(bytes.length + 1)
  const piece = bytes.subarray(from, from + 1 + dice.below(300))
  const again = Array.from({ length: 1 + dice.below(40) }, () => piece)
  return Buffer.concat([bytes.subarray(0, from), ...again, bytes.subarray(from)])
}

const left = (bytes: Buffer, dice: Dice): Buffer => {
  const from = dice.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + dice.below(40))])
}

/** Cuts, flips, repeats or removes one or two places; leaves one of three unchanged. */
export const bentBytes = (bytes: Buffer, dice: Dice): Buffer => {
  if (dice.onceIn(3)) return bytes
  const once = (given: Buffer) => dice.pick([cutAt, flipped, withMark, withMark, repeated, left])(given, dice)
  return dice.onceIn(3) ? once(once(bytes)) : once(bytes)
}

/**
 * URLs of the canary: hosts that the gateway refuses even if loopback is allowed, and protocols that connect without
 * it.
 */
export const leadingAway = ({ own, canary }: World, dice: Dice): string => {
  const host = dice.pick(['0.0.0.0', '0', '[::]', '[::ffff:0.0.0.0]', '0x0', '000.000.000.000'])
  const there = `127.0.0.1:${canary}`
  return dice.pick([
    `http://${host}:${canary}/x.ts`,
    `http://${host}:${canary}/x.ts`,
    `https://${host}:${canary}/x.ts`,
    `httpproxy://${there}/${own}/x.ts`,
    `tcp://${there}`,
    `tls://${there}`,
    `rtsp://${there}/x`,
    `rtmp://${there}/x`,
    `concat:tcp://${there}|${own}/x.ts`,
    `subfile,,start,0,end,9,,:tcp://${there}`,
    `crypto:tcp://${there}`,
    `crypto+tcp://${there}`,
    `cache:tcp://${there}`,
    `async:tcp://${there}`,
    `ftp://${there}/x`,
    `gopher://${there}/x`,
    `srt://${there}`,
    `icecast://${there}/x`,
    `HTTPPROXY://${there}/x`,
    `hls+tcp://${there}`,
    `mmsh://${there}/x`,
    `//${host}:${canary}/x.ts`,
  ])
}
