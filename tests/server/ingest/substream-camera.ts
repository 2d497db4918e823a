import { spawn, spawnSync } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

const bits = 32
/** Each frame shows its number in black and white cells. */
const numbered = `color=s=${bits}x2:r=25,geq=lum='255*mod(floor(N/pow(2,${bits - 1}-X)),2)':cb=128:cr=128`
const encoded = (size: string) => [
  '-map',
  '0:v',
  '-vf',
  `scale=${size}:flags=neighbor`,
  ...'-c:v libx264 -preset ultrafast -tune zerolatency -g 25 -pix_fmt yuv420p -f mpegts'.split(' '),
]

/** A camera with two sizes of the same pictures, at `/main` (640×180) and `/sub` (320×90). */
export const pairCamera = (): RequestListener => {
  const args = ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', numbered]
  const ffmpeg = spawn('ffmpeg', [...args, ...encoded('640:180'), 'pipe:1', ...encoded('320:90'), 'pipe:3'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => {
    ffmpeg.kill('SIGKILL')
  })
  const outputs = new Map<string, Readable>()
  const [, main, , sub] = ffmpeg.stdio
  for (const [path, output] of [
    ['/main', main],
    ['/sub', sub],
  ] as const) {
    if (output === null || output === undefined || !('read' in output)) throw new Error(path)
    outputs.set(path, output.resume())
  }
  return (request, response) => {
    const output = outputs.get(request.url ?? '')
    response.writeHead(output === undefined ? 404 : 200, { 'content-type': 'video/mp2t' })
    if (output === undefined) {
      response.end()
      return
    }
    const send = (bytes: Buffer) => response.write(bytes)
    output.on('data', send)
    response.on('close', () => output.off('data', send))
  }
}

/** The numbers of an MP4's frames. */
export const numbersIn = (bytes: Buffer): number[] => {
  const filter = `format=gray,scale=${bits * 8}:8:flags=neighbor`
  const { stdout } = spawnSync(
    'ffmpeg',
    [...'-nostdin -v error -i pipe:0 -vsync passthrough -vf'.split(' '), filter, '-f', 'rawvideo', 'pipe:1'],
    { input: bytes, maxBuffer: 1e8 },
  )
  const frame = bits * 8 * 8
  const cells = Array.from({ length: bits }, (_, cell) => cell * 8 + 4 + bits * 8 * 4)
  return Array.from({ length: stdout.length / frame }, (_, index) =>
    cells.reduce((value, at) => value * 2 + Number((stdout[index * frame + at] ?? 0) > 127), 0),
  )
}
