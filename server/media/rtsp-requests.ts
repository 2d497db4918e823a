import type { Authorization, Authorizer } from './authorization.ts'
import { RtspRejection, type RtspAnswer, type RtspVerdict } from './rtsp-answers.ts'

const maxHeadBytes = 8192
const packetHeadBytes = 4
const dollar = 0x24
const headEnd = '\r\n\r\n'
/** Requests without an answer: some cameras never answer those that keep the session alive. */
const maxPending = 32
/** The first attempt has no challenge to answer; its nonce may expire before the second. */
const maxAttempts = 3

const methods = ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'PAUSE', 'GET_PARAMETER', 'SET_PARAMETER', 'TEARDOWN']
/** Headers that the gateway writes itself. */
const ownHeaders = ['authorization', 'cseq', 'proxy-authorization']

/** Cuts what ffmpeg sends into whole packets and messages. Throws RtspRejection. */
const createCutter = (): ((chunk: Buffer) => Buffer[]) => {
  let kept = Buffer.alloc(0)
  const bytesOfNext = (): number => {
    if (kept[0] === dollar) return kept.length < packetHeadBytes ? Infinity : packetHeadBytes + kept.readUInt16BE(2)
    const end = kept.indexOf(headEnd)
    if ((end === -1 ? kept.length : end) > maxHeadBytes) throw new RtspRejection('ProbeError')
    return end === -1 ? Infinity : end + headEnd.length
  }
  return (chunk) => {
    kept = Buffer.concat([kept, chunk])
    const found: Buffer[] = []
    for (let bytes = bytesOfNext(); bytes <= kept.length && kept.length > 0; bytes = bytesOfNext()) {
      found.push(kept.subarray(0, bytes))
      kept = kept.subarray(bytes)
    }
    return found
  }
}

type Request = { method: string; uri: string; headers: string[]; sequence: string; attempt: number }

export type RtspDialogue = {
  /** Takes bytes of ffmpeg and returns what to send to the camera. Throws RtspRejection. */
  take: (chunk: Buffer) => Buffer[]
  /** Handles an answer of the camera. May send the request again, with credentials. */
  answered: (answer: RtspAnswer) => RtspVerdict
}

export type RtspDialogueOptions = {
  /** The URL that ffmpeg has, and that of the camera. */
  from: string
  to: string
  authorizer: Authorizer | undefined
  send: (bytes: Buffer) => void
}

/**
 * Rewrites the requests of one connection for the camera: with its URL, credentials and a CSeq of the gateway, so
 * that a request can be sent again before ffmpeg gets an answer.
 */
export const createRtspDialogue = ({ from, to, authorizer, send }: RtspDialogueOptions): RtspDialogue => {
  const cut = createCutter()
  const pending = new Map<string, { request: Request; sent: Authorization | undefined }>()
  let lastNumber = 0

  const write = (request: Request): Buffer => {
    const { method, uri, headers } = request
    lastNumber += 1
    const sent = authorizer?.authorize(method, uri)
    pending.set(String(lastNumber), { request, sent })
    const [oldest = ''] = pending.keys()
    if (pending.size > maxPending) pending.delete(oldest)
    const lines = [`${method} ${uri} RTSP/1.0`, `CSeq: ${lastNumber}`, ...headers]
    if (sent !== undefined) lines.push(`Authorization: ${sent.value}`)
    return Buffer.from(`${lines.join('\r\n')}${headEnd}`, 'latin1')
  }

  const rewrite = (message: Buffer): Buffer => {
    if (message[0] === dollar) return message
    const [first = '', ...lines] = message.toString('latin1', 0, message.length - headEnd.length).split('\r\n')
    if (!lines.every((line) => /^[A-Za-z-]+:[\t\x20-\x7e]*$/.test(line))) throw new RtspRejection('ProbeError')
    // An answer of ffmpeg to a request of the camera.
    if (/^RTSP\/1\.0 \d{3} [\x20-\x7e]*$/.test(first)) return message
    const [, method = '', uri = ''] = /^([A-Z_]+) ([\x21-\x7e]+) RTSP\/1\.0$/.exec(first) ?? []
    if (!methods.includes(method)) throw new RtspRejection('ProbeError')
    const headers = lines.filter((line) => !ownHeaders.includes(line.slice(0, line.indexOf(':')).toLowerCase()))
    const sequence = lines.find((line) => /^cseq:/i.test(line))?.slice('cseq:'.length) ?? ''
    return write({
      method,
      uri: uri.startsWith(from) ? to + uri.slice(from.length) : uri,
      headers,
      sequence: sequence.trim(),
      attempt: 1,
    })
  }

  return {
    take: (chunk) => cut(chunk).map(rewrite),
    answered: ({ status, sequence, challenges }) => {
      const [oldest = ''] = pending.keys()
      const number = pending.has(sequence) ? sequence : oldest
      const found = pending.get(number)
      if (found === undefined) return { sequence }
      const { request, sent } = found
      if (status >= 200) pending.delete(number)
      const isSentAgain = authorizer?.answered(status, challenges, sent) === true && request.attempt < maxAttempts
      if (!isSentAgain) return { sequence: request.sequence }
      send(write({ ...request, attempt: request.attempt + 1 }))
      return 'held'
    },
  }
}
