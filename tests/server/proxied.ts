import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSocketServer, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { portOf } from '../../server/start.ts'
import { buildProxy, type ProxyOptions } from '../../server/upstream/proxy.ts'

type Change = Omit<Partial<ProxyOptions>, 'upstream' | 'distDir'>

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const before = async (theirs: number, change: Change) => {
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  mkdirSync(join(distDir, 'assets'))
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>console</title>')
  const app = await buildProxy({ upstream: new URL(`http://127.0.0.1:${theirs}`), distDir, ...change })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await app.close()
    rmSync(distDir, { recursive: true })
  })
  const port = portOf(app)
  return { app, origin: `http://127.0.0.1:${port}`, port, theirOrigin: `http://127.0.0.1:${theirs}` }
}

/** An upstream server and a proxy in front of it. */
export const proxied = async (listener: RequestListener, change: Change = {}) => {
  const server = createServer(listener)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { ...(await before(await listening(server), change)), close }
}

/** The same with an upstream server that answers every request with these bytes. */
export const proxiedBytes = async (answer: (socket: Socket) => void, change: Change = {}) => {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => answer(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return before(await listening(server), change)
}

/** Sends raw bytes and reads until the other side closes. */
export const sendRaw = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  return text(socket).catch(() => '')
}
