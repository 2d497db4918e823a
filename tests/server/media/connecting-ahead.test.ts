import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openConnectedInput, type Input } from '../../../server/media/input.ts'
import { sourceAt } from './sources.ts'
import { certified } from '../fixtures/tls.ts'

/** The gateway on this machine's own loopback, where a test reaches it as ffmpeg does from within its namespace. */
vi.mock('../../../server/media/sandbox.ts', () => ({
  sandbox: () => ({ isolation: undefined, before: [], user: undefined }),
}))

const nobodyLeaves = new AbortController().signal

/** A camera of one answer; `connections` are those that came. */
const startCamera = async (answer: string, isSecure = false) => {
  const connections: Socket[] = []
  const serve = (socket: Socket) => {
    connections.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => socket.write(answer, 'latin1'))
  }
  const server: Server = isSecure ? createTlsServer(certified().tls, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of connections) socket.destroy()
  })
  const address: AddressInfo | string | null = server.address()
  return { connections, server, port: address === null || typeof address === 'string' ? 0 : address.port }
}

/** The first bytes that ffmpeg gets. */
const firstLineOf = async ({ gateway, args }: Input): Promise<string> => {
  const client = connect(gateway.port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const address = args.at(-1) ?? ''
  client.write(
    address.startsWith('rtsp:')
      ? `OPTIONS ${address} RTSP/1.0\r\nCSeq: 1\r\n\r\n`
      : `GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  const [chunk]: Buffer[] = await once(client, 'data')
  return chunk?.toString('latin1').split('\r\n')[0] ?? ''
}

const rtspAnswer = 'RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n'
const httpAnswer = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npictures.'

test.each([
  ['rtsp', rtspAnswer, 'RTSP/1.0 200 OK'],
  ['rtsps', rtspAnswer, 'RTSP/1.0 200 OK'],
  ['http', httpAnswer, 'HTTP/1.1 200 OK'],
  ['https', httpAnswer, 'HTTP/1.1 200 OK'],
])(
  'a camera by %s is connected to before there is an ffmpeg, which gets that connection',
  async (scheme, answer, line) => {
    const isSecure = scheme.endsWith('s')
    const { connections, server, port } = await startCamera(answer, isSecure)
    const connected = once(server, isSecure ? 'secureConnection' : 'connection')
    const input = await openConnectedInput(sourceAt(`${scheme}://127.0.0.1:${port}/live`), true, nobodyLeaves)
    onTestFinished(input.gateway.close)
    await connected
    expect([await firstLineOf(input), connections.length]).toEqual([line, 1])
    expect([await firstLineOf(input), connections.length]).toEqual([line, 2])
  },
)

test('a camera that ended the connection meanwhile is connected to anew', async () => {
  const { connections, server, port } = await startCamera(rtspAnswer)
  const connected = once(server, 'connection')
  const input = await openConnectedInput(sourceAt(`rtsp://127.0.0.1:${port}/live`), true, nobodyLeaves)
  onTestFinished(input.gateway.close)
  await connected
  const [first] = connections
  if (first === undefined) throw new Error('no connection')
  // This end closes its half by itself once the camera has closed the other.
  const ended = once(first.resume(), 'close')
  first.end()
  await ended
  expect([await firstLineOf(input), connections.length]).toEqual(['RTSP/1.0 200 OK', 2])
})

test('a connection that no ffmpeg took ends with the gateway', async () => {
  const { connections, server, port } = await startCamera(rtspAnswer)
  const connected = once(server, 'connection')
  const input = await openConnectedInput(sourceAt(`rtsp://127.0.0.1:${port}/live`), true, nobodyLeaves)
  await connected
  const [first] = connections
  if (first === undefined) throw new Error('no connection')
  const ended = once(first.resume(), 'close')
  input.gateway.close()
  await ended
  expect(connections.length).toBe(1)
})

test.each([
  ['is away', 'EHOSTUNREACH', true, nobodyLeaves],
  ['may not be reached', 'ACCESS_DENIED_ERR', false, nobodyLeaves],
  ['nobody waits for', 'EHOSTUNREACH', true, AbortSignal.abort()],
])('a camera that %s fails as %s before there is an ffmpeg', async (_name, code, allowLoopback, signal) => {
  await expect(openConnectedInput(sourceAt('rtsp://127.0.0.1:9/live'), allowLoopback, signal)).rejects.toMatchObject({
    code,
  })
})
