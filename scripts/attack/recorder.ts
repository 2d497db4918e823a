import type { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { listenRaw, type Listener } from './cameras.ts'
import type { Space } from './space.ts'

/** A request as the upstream server received it; `connection`: the number of its connection. */
export type RecordedRequest = {
  connection: number
  method: string
  path: string
  headers: ReadonlyMap<string, string>
  body: string
}

/** An upstream server that records all requests. */
export type Recorder = Listener & { recorded: RecordedRequest[] }

const headEnd = '\r\n\r\n'

/** The body after a head, by the head's framing, and the bytes after it; undefined while it is incomplete. */
const bodyOf = (headers: ReadonlyMap<string, string>, rest: string): { body: string; rest: string } | undefined => {
  if (headers.get('transfer-encoding')?.includes('chunked') === true) {
    let body = ''
    for (let left = rest; ;) {
      const line = /^([\da-f]+)[^\r]*\r\n/i.exec(left)
      if (line === null) return undefined
      const length = Number.parseInt(line[1] ?? '0', 16)
      const data = left.slice(line[0].length)
      if (length === 0) return data.includes('\r\n') ? { body, rest: data.slice(data.indexOf('\r\n') + 2) } : undefined
      if (data.length < length + 2) return undefined
      body += data.slice(0, length)
      left = data.slice(length + 2)
    }
  }
  const length = Number(headers.get('content-length') ?? 0)
  return rest.length < length ? undefined : { body: rest.slice(0, length), rest: rest.slice(length) }
}

const plain = (recorded: RecordedRequest): string => {
  const body = JSON.stringify({ path: recorded.path, cookie: recorded.headers.get('cookie') ?? '' })
  return (
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n` +
    `${recorded.method === 'HEAD' ? '' : body}`
  )
}

/** Answers late, so that the next request is sent before the answer. */
export const slowPath = '/v1/smuggled'
const slowMs = 150

/**
 * Reads HTTP/1.1 strictly by the lengths of requests, so that further bytes are the next request, as for other servers.
 * Answers with the request's path and cookie, or by `answer`.
 */
export const startRecorder = async (
  space: Space,
  answer: (recorded: RecordedRequest) => string | undefined = () => undefined,
): Promise<Recorder> => {
  const recorded: RecordedRequest[] = []
  let connections = 0
  const reply = async (before: Promise<void>, one: RecordedRequest, socket: Socket): Promise<void> => {
    await before
    if (one.path === slowPath) await after(slowMs)
    socket.write(Buffer.from(answer(one) ?? plain(one), 'latin1'))
  }
  const take = (socket: Socket, connection: number) => {
    let text = ''
    let answering = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      while (text.includes(headEnd)) {
        const end = text.indexOf(headEnd)
        const [first = '', ...lines] = text.slice(0, end).split('\r\n')
        const headers = new Map(
          lines.map(
            (line) =>
              [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
          ),
        )
        const found = bodyOf(headers, text.slice(end + headEnd.length))
        if (found === undefined) return
        const [method = '', path = ''] = first.split(' ')
        const one = { connection, method, path, headers, body: found.body }
        recorded.push(one)
        text = found.rest
        answering = reply(answering, one, socket)
      }
    })
  }
  const listener = await listenRaw(space, (socket) => take(socket, (connections += 1)))
  return { ...listener, recorded }
}
