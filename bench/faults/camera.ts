import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

const argumentsOf = (size: string, hasSound: boolean) => [
  '-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`, ...(hasSound ? ['-re', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'] : []),
  '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-pix_fmt', 'yuv420p', ...(hasSound ? ['-c:a', 'aac'] : []), '-f', 'mpegts', 'pipe:1',
]

/** A camera of MPEG-TS over HTTP that can be lost, and come back as another one. */
export async function startCamera() {
  const state = { isThere: true, size: '320x180', hasSound: false }
  const viewers = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    if (!state.isThere) return void response.destroy()
    const ffmpeg = spawn('ffmpeg', argumentsOf(state.size, state.hasSound), { stdio: ['ignore', 'pipe', 'ignore'] })
    viewers.add(response)
    response.writeHead(200, { 'content-type': 'video/mp2t' })
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
      state.isThere = false
      for (const response of viewers) response.destroy()
    },
    comeBack(change?: 'of size') {
      Object.assign(state, { isThere: true }, change === undefined ? {} : { size: state.size === '320x180' ? '640x360' : '320x180', hasSound: !state.hasSound })
    },
    close() {
      for (const response of viewers) response.destroy()
      server.close()
    },
  }
}
