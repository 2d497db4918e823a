import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { guarded } from '../guarded.ts'
import type { Passage } from './gateway.ts'

export const maxHeaderBytes = 16_384
const maxInformational = 8

const passedOn = ['accept', 'cookie', 'icy-metadata', 'range', 'referer', 'user-agent']

export const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`

type Call = { request: IncomingMessage; response: ServerResponse; address: URL; passage: Passage }
type Exchange = { answer: IncomingMessage; end: () => void; drop: () => void }

/** Sends the request of ffmpeg on. Undefined if no answer came; then the response is ended. */
export const exchange = (
  { request, response, address, passage }: Call,
  socket: Duplex,
  authorization: string | undefined,
): Promise<Exchange | undefined> =>
  new Promise((resolve) => {
    const outgoing = httpRequest({
      method: request.method,
      path: pathOf(address),
      headers: {
        ...Object.fromEntries(
          passedOn.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
        ),
        ...(authorization === undefined ? {} : { authorization }),
        host: address.host,
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
      if (!isDropped) passage.failed('ProbeError')
      end()
    }
    let informed = 0
    const inform = () => {
      informed += 1
      if (informed > maxInformational) fail()
    }
    const take = (answer: IncomingMessage) => {
      answer.on('error', guarded('gateway: answer', end))
      resolve({ answer, end, drop })
    }
    outgoing.on('information', guarded('gateway: information', inform, fail))
    outgoing.on('upgrade', guarded('gateway: upgrade', fail, end))
    outgoing.on('error', guarded('gateway: request', end))
    outgoing.on('response', guarded('gateway: answer', take, fail))
    response.on(
      'close',
      guarded('gateway: client', () => outgoing.destroy()),
    )
    outgoing.end()
  })
