import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { guarded } from '../guarded.ts'
import { createTransportReader, wholePackets, type Sound } from './transport-stream.ts'

/** MPEG-TS that comes over HTTP. */
export type Transport = {
  /** The sound that comes now; undefined if none comes. */
  sound: () => Sound | undefined
  /**
   * Ends what ffmpeg reads at the next keyframe, with which the next ffmpeg of the gateway goes on: no picture is lost.
   * False if the stream can't be split.
   */
  split: () => boolean
}

export type TransportRelay = Transport & {
  /** Sends the stream to an ffmpeg: to its end, or to the keyframe at which it is split. */
  sendTo: (response: ServerResponse) => Promise<void>
  /** Whether it was split, and waits for the next ffmpeg. */
  isWaiting: () => boolean
}

export type Body = AsyncIterator<Buffer, unknown, undefined>

/** `head`: what was read of `body` before. */
export const createTransportRelay = (
  answer: IncomingMessage,
  body: Body,
  head: Buffer,
  headers: OutgoingHttpHeaders,
): TransportRelay => {
  const reader = createTransportReader()
  let isSplitting = false
  /** What the next ffmpeg gets first. */
  let waiting: Buffer | undefined
  let ahead = head
  let rest: Buffer = Buffer.alloc(0)

  const next = async (): Promise<Buffer | undefined> => {
    if (ahead.length > 0) {
      const bytes = ahead
      ahead = Buffer.alloc(0)
      return bytes
    }
    const read = await body.next()
    return read.done === true ? undefined : read.value
  }

  const sendTo = async (response: ServerResponse): Promise<void> => {
    let isSplit = false
    // Only the last ffmpeg to leave ends the connection to the camera.
    response.on(
      'close',
      guarded('gateway: client', () => {
        if (!isSplit) answer.destroy()
      }),
    )
    const read = async function* () {
      if (waiting !== undefined) yield waiting
      waiting = undefined
      for (let bytes = await next(); bytes !== undefined; bytes = await next()) {
        const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
        const packets = joined.subarray(0, wholePackets(joined))
        rest = joined.subarray(packets.length)
        const tables = isSplitting ? reader.tables() : undefined
        const keyframe = reader.take(packets, tables !== undefined)
        if (tables !== undefined && keyframe !== undefined) {
          isSplit = true
          isSplitting = false
          ahead = joined.subarray(keyframe)
          rest = Buffer.alloc(0)
          waiting = tables
          yield packets.subarray(0, keyframe)
          return
        }
        if (packets.length > 0) yield packets
      }
      if (rest.length > 0) yield rest
    }
    response.writeHead(answer.statusCode ?? 200, headers)
    await pipeline(read, response)
  }

  return {
    sendTo,
    isWaiting: () => waiting !== undefined,
    sound: reader.sound,
    split: () => {
      isSplitting = reader.tables() !== undefined
      return isSplitting
    },
  }
}
