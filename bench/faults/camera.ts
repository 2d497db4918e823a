import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

const encodings = {
  'H.264': '-c:v libx264 -preset ultrafast -tune zerolatency -sc_threshold 0 -pix_fmt yuv420p',
  'H.265': '-c:v libx265 -preset ultrafast -tune zerolatency -x265-params keyint=25:log-level=none -pix_fmt yuv420p',
  MJPEG: '-c:v mjpeg -pix_fmt yuvj420p',
}
export type Codec = keyof typeof encodings

interface Carried {
  readonly size: string
  readonly hasSound: boolean
  readonly codec: Codec
  readonly keyframeSeconds: number
  readonly fps: number
}

const typeOf = (codec: Codec) => (codec === 'MJPEG' ? 'multipart/x-mixed-replace;boundary=ffmpeg' : 'video/mp2t')
const argumentsOf = ({ size, hasSound, codec, keyframeSeconds, fps }: Carried) => {
  const sound = hasSound && codec !== 'MJPEG' ? '-re -f lavfi -i sine=sample_rate=48000 -c:a aac' : ''
  const input = `-nostdin -v error -re -f lavfi -i testsrc2=s=${size}:r=${fps} ${sound}`
  const output = `${encodings[codec]} -g ${fps * keyframeSeconds} -f ${codec === 'MJPEG' ? 'mpjpeg' : 'mpegts'} pipe:1`
  return `${input} ${output}`.split(/ +/)
}

export interface Camera {
  readonly url: string
  lose(): void
  comeBack(change?: 'of size' | Codec): void
  close(): void
}

/** A camera over HTTP, as MPEG-TS or MJPEG, that can be lost and come back with other properties. */
export async function startCamera({ hasSound = false, keyframeSeconds = 1, fps = 25 } = {}): Promise<Camera> {
  let isThere = true
  let carried: Carried = { size: '320x180', hasSound, codec: 'H.264', keyframeSeconds, fps }
  const viewers = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    if (!isThere) return void response.destroy()
    const ffmpeg = spawn('ffmpeg', argumentsOf(carried), { stdio: ['ignore', 'pipe', 'ignore'] })
    viewers.add(response)
    response.writeHead(200, { 'content-type': typeOf(carried.codec) })
    ffmpeg.stdout.pipe(response)
    response.on('close', () => {
      viewers.delete(response)
      ffmpeg.kill('SIGKILL')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the camera has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    lose() {
      isThere = false
      for (const response of viewers) response.destroy()
    },
    comeBack(change) {
      isThere = true
      if (change === 'of size')
        carried = { ...carried, size: carried.size === '320x180' ? '640x360' : '320x180', hasSound: !carried.hasSound }
      else if (change !== undefined) carried = { ...carried, codec: change }
    },
    close() {
      for (const response of viewers) response.destroy()
      server.close()
    },
  }
}
