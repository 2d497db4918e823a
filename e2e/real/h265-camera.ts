import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface H265Camera {
  readonly address: string
  stop(): void
}

/** Each frame is filled with the strip of its moment (frame-strip.ts). */
const argumentsFrom = (tick: number): string[] => [
  '-nostdin',
  '-v',
  'error',
  '-re',
  '-f',
  'lavfi',
  '-i',
  `color=s=32x2:r=25,geq=lum='255*mod(floor((N+${tick})/pow(2,31-X)),2)':cb=128:cr=128,scale=640:360:flags=neighbor`,
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=error:keyint=25:min-keyint=25:scenecut=0:bframes=0:rc-lookahead=0',
  '-f',
  'mpegts',
  'pipe:1',
]

/** A camera over HTTP that sends H.265 in real time, the same to every client. */
export async function startH265Camera(): Promise<H265Camera> {
  const server = createServer((_request, response) => {
    const tick = Math.floor(Date.now() / 40) % 2 ** 32
    const ffmpeg = spawn('ffmpeg', argumentsFrom(tick), { stdio: ['ignore', 'pipe', 'ignore'] })
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    ffmpeg.stdout.pipe(response)
    response.on('close', () => ffmpeg.kill('SIGKILL'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  return {
    address: `http://127.0.0.1:${port}/`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
