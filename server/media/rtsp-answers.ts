import type { GatewayFailure } from './failures.ts'

export class RtspRejection extends Error {
  readonly code: GatewayFailure
  constructor(code: GatewayFailure) {
    super(code)
    this.code = code
  }
}

const maxHeadBytes = 8192
const maxLineBytes = 4000
const maxLines = 64
const maxBodyBytes = 131_072
/** Shorter packets are dropped: ffmpeg ignores their length, so that it would read their data as the next message. */
const minPacketBytes = 8
const packetHeadBytes = 4
const dollar = 0x24
const newline = 0x0a

/** The headers that ffmpeg gets. */
const passed = new Set([
  'content-base',
  'content-length',
  'content-type',
  'cseq',
  'public',
  'range',
  'rtp-info',
  'session',
  'transport',
  'x-accept-dynamic-rate',
])

const isPlain = (line: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(line)

export type RtspAnswer = { status: number; sequence: string; challenges: readonly string[] }
/** The CSeq under which ffmpeg gets an answer; `held` if it gets none, as the request is sent again. */
export type RtspVerdict = { sequence: string } | 'held'

type Message = {
  lines: string[]
  status: number | undefined
  bodyBytes: number | undefined
  isDescription: boolean
  sequence: string
  challenges: string[]
}

const messageWith = (line: string, status?: number): Message => ({
  lines: [line],
  status,
  bodyBytes: undefined,
  isDescription: false,
  sequence: '',
  challenges: [],
})

const begin = (line: string): Message => {
  const answer = /^RTSP\/1\.[01] (\d{3})(?: (.*))?$/.exec(line)
  if (answer === null) {
    const request = /^([A-Z][A-Z_]{0,31}) ([\x21-\x7e]{1,2000}) RTSP\/1\.[01]$/.exec(line)
    if (request === null) throw new RtspRejection('ProbeError')
    const [, method = '', uri = ''] = request
    if (method === 'REDIRECT') throw new RtspRejection('ACCESS_DENIED_ERR')
    return messageWith(`${method} ${uri} RTSP/1.0`)
  }
  const status = Number(answer[1])
  if (status >= 300 && status < 400) throw new RtspRejection('ACCESS_DENIED_ERR')
  if (status < 100 || status > 599) throw new RtspRejection('ProbeError')
  return messageWith(`RTSP/1.0 ${status} ${answer[2] ?? ''}`, status)
}

const addHeader = (message: Message, line: string): void => {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
  const value = line.slice(colon + 1).trim()
  if (name === 'www-authenticate') message.challenges.push(value)
  if (name === 'cseq') message.sequence = value
  if (name === 'content-type') message.isDescription = /^application\/sdp(?:;|$)/i.test(value)
  if (!passed.has(name)) return
  if (name === 'transport' && !/^RTP\/AVP\/TCP(?:;|$)/i.test(value)) throw new RtspRejection('ProbeError')
  if (name === 'content-length') {
    const bytes = /^\d{1,9}$/.test(value) ? Number(value) : Infinity
    if (message.bodyBytes !== undefined || bytes > maxBodyBytes) throw new RtspRejection('ProbeError')
    message.bodyBytes = bytes
  }
  message.lines.push(`${name}: ${value}`)
}

const numbered = (lines: readonly string[], sequence: string): string[] =>
  lines.map((line) => (line.startsWith('cseq: ') ? `cseq: ${sequence}` : line))

/**
 * Reads the camera's side of a connection and returns what ffmpeg may get, with messages serialized anew. Throws
 * RtspRejection on a redirect and on invalid messages. `onDescription` gets each whole SDP that passes.
 */
export const createRtspReader = (
  onAnswer: (answer: RtspAnswer) => RtspVerdict,
  onDescription?: (text: string) => void,
): ((chunk: Buffer) => Buffer[]) => {
  let message: Message | undefined
  let line = ''
  let headBytes = 0
  let lineCount = 0
  let packetHead = Buffer.alloc(0)
  /** The bytes of a body or packet that are still to come. */
  let left = 0
  let isLeftPassed = true
  let description: string | undefined

  const readLine = (text: string): Buffer | undefined => {
    lineCount += 1
    if (lineCount > maxLines || !isPlain(text)) throw new RtspRejection('ProbeError')
    if (text !== '') {
      if (message === undefined) message = begin(text)
      else addHeader(message, text)
      return undefined
    }
    // Empty lines before a message are ignored.
    if (message === undefined) return undefined
    const { lines, status, bodyBytes = 0, isDescription, sequence, challenges } = message
    const verdict = status === undefined ? { sequence } : onAnswer({ status, sequence, challenges })
    left = bodyBytes
    isLeftPassed = verdict !== 'held'
    description = isDescription && isLeftPassed && left > 0 ? '' : undefined
    message = undefined
    headBytes = 0
    lineCount = 0
    if (verdict === 'held') return undefined
    return Buffer.from(`${numbered(lines, verdict.sequence).join('\r\n')}\r\n\r\n`, 'latin1')
  }

  return (chunk) => {
    const out: Buffer[] = []
    let at = 0
    let range = { from: 0, to: 0 }
    const flush = () => {
      if (range.from < range.to) out.push(chunk.subarray(range.from, range.to))
      range = { from: 0, to: 0 }
    }
    const passUntil = (from: number, to: number) => {
      if (range.to !== from) flush()
      range = { from: range.from < range.to ? range.from : from, to }
    }
    const passWritten = (written: Buffer) => {
      flush()
      out.push(written)
    }

    const readRest = () => {
      const end = Math.min(at + left, chunk.length)
      if (isLeftPassed) passUntil(at, end)
      left -= end - at
      if (description !== undefined) description += chunk.toString('latin1', at, end)
      if (description !== undefined && left === 0) {
        onDescription?.(description)
        description = undefined
      }
      at = end
    }
    const readPacketHead = () => {
      const earlier = packetHead
      const end = Math.min(at + packetHeadBytes - earlier.length, chunk.length)
      packetHead = Buffer.concat([earlier, chunk.subarray(at, end)])
      if (packetHead.length === packetHeadBytes) {
        left = packetHead.readUInt16BE(2)
        isLeftPassed = left >= minPacketBytes
        if (isLeftPassed && earlier.length === 0) passUntil(at, end)
        else if (isLeftPassed) passWritten(packetHead)
        packetHead = Buffer.alloc(0)
        headBytes = 0
        lineCount = 0
      }
      at = end
    }
    const readText = () => {
      const newlineAt = chunk.indexOf(newline, at)
      const end = newlineAt === -1 ? chunk.length : newlineAt
      headBytes += end - at + 1
      line += chunk.toString('latin1', at, end)
      if (headBytes > maxHeadBytes || line.length > maxLineBytes) throw new RtspRejection('ProbeError')
      at = end
      if (newlineAt === -1) return
      at += 1
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      line = ''
      const head = readLine(text)
      if (head !== undefined) passWritten(head)
    }

    while (at < chunk.length) {
      const isPacket = packetHead.length > 0 || (message === undefined && line === '' && chunk[at] === dollar)
      if (left > 0) readRest()
      else if (isPacket) readPacketHead()
      else readText()
    }
    flush()
    return out
  }
}
