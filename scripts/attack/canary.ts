import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { atEnd } from './endings.ts'
import type { Space } from './space.ts'

/** A listener on the server's machine, on each of its addresses, that no source may reach. */
export type Canary = {
  port: number
  /** The contacts: the called address and the first received bytes. */
  contacts: string[]
  close: () => void
}

export const startCanary = async ({ beside }: Space): Promise<Canary> => {
  const [program = '', ...args] = [
    ...beside,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    import.meta.filename,
  ]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const close = atEnd(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const [port] = await once(lines, 'line')
  const contacts: string[] = []
  lines.on('line', (line: string) => contacts.push(line))
  return { port: Number(port), contacts, close }
}

if (import.meta.main) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const report = (received: string) =>
      process.stdout.write(`${socket.localAddress ?? ''} ${JSON.stringify(received)}\n`)
    const silent = setTimeout(() => report(''), 1000)
    socket.once('close', () => clearTimeout(silent))
    socket.once('data', (chunk) => {
      clearTimeout(silent)
      report(chunk.toString('latin1').slice(0, 60))
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n\r\nsecret')
    })
  })
  server.listen(0, '::', () => {
    const address = server.address()
    process.stdout.write(`${address === null || typeof address === 'string' ? 0 : address.port}\n`)
  })
}
