import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { guarded } from '../guarded.ts'
import type { GatewayState } from './gateway.ts'

export const maxHeaderBytes = 16_384
const maxInformational = 8

/** The headers of ffmpeg's requests that the source gets. */
const passedOn = ['accept', 'cookie', 'icy-metadata', 'range', 'referer', 'user-agent']

export const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`

/** `isRelayed`: the connection to the source may outlive the response. */
type Call = {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  state: GatewayState
  isRelayed: () => boolean
}
/** `end` closes both connections; `drop` closes only the one to the source, so that the request can be sent again. */
type Exchange = { answer: IncomingMessage; end: () => void; drop: () => void }

/** Sends a request of ffmpeg to the source. Undefined if no answer came; the response is then closed. */
export const exchange = (
  { request, response, url, state, isRelayed }: Call,
  socket: Duplex,
  authorization: string | undefined,
): Promise<Exchange | undefined> =>
  new Promise((resolve) => {
    const outgoing = httpRequest({
      method: request.method,
      path: pathOf(url),
      headers: {
        ...Object.fromEntries(
          passedOn.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
        ),
        ...(authorization === undefined ? {} : { authorization }),
        host: url.host,
        connection: 'close',
      },
      maxHeaderSize: maxHeaderBytes,
      createConnection: () => socket,
    })
    let isDropped = false
    const drop = () => {
      isDropped = true
      socket.destroy()
    }
    const end = () => {
      socket.destroy()
      if (!isDropped && !response.writableEnded) response.destroy()
      resolve(undefined)
    }
    const fail = () => {
      if (!isDropped) state.noteFailure('ProbeError')
      end()
    }
    let informed = 0
    const inform = () => {
      informed += 1
      if (informed > maxInformational) fail()
    }
    const receive = (answer: IncomingMessage) => {
      answer.on('error', guarded('gateway: answer', end))
      resolve({ answer, end, drop })
    }
    outgoing.on('information', guarded('gateway: information', inform, fail))
    outgoing.on('upgrade', guarded('gateway: upgrade', fail, end))
    outgoing.on('error', guarded('gateway: request', end))
    outgoing.on('response', guarded('gateway: answer', receive, fail))
    response.on(
      'close',
      guarded('gateway: client', () => {
        if (!isRelayed()) outgoing.destroy()
      }),
    )
    outgoing.end()
  })
