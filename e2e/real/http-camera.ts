import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface HttpCamera {
  readonly address: string
  stop(): void
}

/** A camera over HTTP that sends what ffmpeg makes in real time; each client gets an ffmpeg with arguments of its own. */
export async function startHttpCamera(source: () => readonly string[]): Promise<HttpCamera> {
  const server = createServer((_request, response) => {
    const ffmpeg = spawn('ffmpeg', ['-nostdin', '-v', 'error', '-re', ...source(), '-f', 'mpegts', 'pipe:1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
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
