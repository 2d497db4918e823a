import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface HttpCamera {
  readonly address: string
  /** Ends all connections, and refuses others until it is back. */
  lose(): void
  comeBack(): void
  stop(): void
}

/** A camera over HTTP that sends what ffmpeg makes in real time; each client gets an ffmpeg with arguments of its own. */
export async function startHttpCamera(source: () => readonly string[]): Promise<HttpCamera> {
  let isThere = true
  const server = createServer((_request, response) => {
    if (!isThere) return void response.destroy()
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
    lose() {
      isThere = false
      server.closeAllConnections()
    },
    comeBack() {
      isThere = true
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
