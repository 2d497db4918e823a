import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRtspReader, RtspRejection } from '../../../server/media/rtsp-answers.ts'

type Read = { passed: string; refusal: string | undefined; statuses: number[]; pieces: number }

/** What passes of the chunks a camera sends, and why nothing does any more. */
const readAll = (chunks: readonly string[]): Read => {
  const statuses: number[] = []
  const read = createRtspReader(({ status, sequence }) => {
    statuses.push(status)
    return { sequence }
  })
  let passed = ''
  let pieces = 0
  for (const chunk of chunks) {
    try {
      for (const part of read(Buffer.from(chunk, 'latin1'))) {
        passed += part.toString('latin1')
        pieces += 1
      }
    } catch (error) {
      return { passed, refusal: error instanceof RtspRejection ? error.code : String(error), statuses, pieces }
    }
  }
  return { passed, refusal: undefined, statuses, pieces }
}

const packet = (bytes: string): string => `$\0${String.fromCharCode(bytes.length >> 8, bytes.length & 0xff)}${bytes}`
const picture = packet('x'.repeat(1400))

describe('what a camera sends', () => {
  test('passes if it is an answer, rewritten with the headers that ffmpeg knows', () => {
    expect(
      readAll([
        'RTSP/1.0 200 OK\r\nCSeq: 2\r\nServer: Evil\r\nLocation: rtsp://x/\r\ncontent-LENGTH :9\r\nContent-Length:  4 \r\nX\r\n folded\r\n\r\nv=0\n',
      ]),
    ).toEqual({
      passed: 'RTSP/1.0 200 OK\r\ncseq: 2\r\ncontent-length: 4\r\n\r\nv=0\n',
      refusal: undefined,
      statuses: [200],
      pieces: 2,
    })
  })

  test.each([
    [
      'ends its lines without a carriage return',
      'RTSP/1.0 200 OK\nCSeq: 1\n\n',
      'RTSP/1.0 200 OK\r\ncseq: 1\r\n\r\n',
      [200],
    ],
    ['says no reason', 'RTSP/1.0 200\r\n\r\n', 'RTSP/1.0 200 \r\n\r\n', [200]],
    [
      'puts empty lines before an answer',
      '\r\n\r\nRTSP/1.1 404 Not Found\r\n\r\n',
      'RTSP/1.0 404 Not Found\r\n\r\n',
      [404],
    ],
    [
      'asks whether ffmpeg is there',
      'OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n',
      'OPTIONS * RTSP/1.0\r\ncseq: 7\r\n\r\n',
      [],
    ],
    [
      'asks for two passwords',
      'RTSP/1.0 401 No\r\nWWW-Authenticate: Digest a="\xe9"\r\nWWW-Authenticate: Basic\r\n\r\n',
      'RTSP/1.0 401 No\r\n\r\n',
      [401],
    ],
    [
      'sends pictures',
      `${picture}${picture}RTSP/1.0 200 OK\r\n\r\n${picture}`,
      `${picture}${picture}RTSP/1.0 200 OK\r\n\r\n${picture}`,
      [200],
    ],
    ['sends a packet of no use', `${picture}${packet('RTSP/1.')}${packet('')}${picture}`, picture + picture, []],
    [
      'sends what looks like an answer in a packet',
      packet('RTSP/1.0 302 Moved\r\n\r\n'),
      packet('RTSP/1.0 302 Moved\r\n\r\n'),
      [],
    ],
    [
      'sends what looks like an answer in a body',
      'RTSP/1.0 200 OK\r\nContent-Length: 22\r\n\r\nRTSP/1.0 302 Moved\r\n\r\n',
      'RTSP/1.0 200 OK\r\ncontent-length: 22\r\n\r\nRTSP/1.0 302 Moved\r\n\r\n',
      [200],
    ],
  ])('passes where it %s', (_name, sent, passed, statuses) => {
    expect(readAll([sent])).toMatchObject({ passed, refusal: undefined, statuses })
    expect(readAll([...sent])).toMatchObject({ passed, refusal: undefined, statuses })
  })

  test.each([
    ['RTSP/1.0 300 Multiple\r\n\r\n', 'ACCESS_DENIED_ERR'],
    ['RTSP/1.0 302\r\n\r\n', 'ACCESS_DENIED_ERR'],
    ['REDIRECT rtsp://x/ RTSP/1.0\r\n\r\n', 'ACCESS_DENIED_ERR'],
    ['RT\rSP/1.0 302 Moved\r\n\r\n', 'ProbeError'],
    ['\rRTSP/1.0 200 OK\r\n\r\n', 'ProbeError'],
    [' RTSP/1.0 200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0  200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0\t200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 +200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 0200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 20 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 099 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 600 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/2.0 200 OK\r\n\r\n', 'ProbeError'],
    ['rtsp/1.0 200 OK\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 O\0K\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nCSeq: 1\0\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nCSeq: 1\rLocation: x\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\n$\0\0\x01x\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nContent-Length: -4\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nContent-Length: 4x\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nContent-Length: 999999999\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nTransport: RTP/AVP;unicast;source=10.0.0.1;server_port=1-2\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nTransport: RTP/AVP/UDP;unicast\r\n\r\n', 'ProbeError'],
    ['RTSP/1.0 200 OK\r\nTransport: RTP/AVP;multicast;destination=10.0.0.1, RTP/AVP/TCP\r\n\r\n', 'ProbeError'],
    ['GET / HTTP/1.1\r\n\r\n', 'ProbeError'],
    [`RTSP/1.0 200 ${'a'.repeat(5000)}`, 'ProbeError'],
    [`RTSP/1.0 200 OK\r\n${'a: b\r\n'.repeat(70)}`, 'ProbeError'],
    ['\n'.repeat(100), 'ProbeError'],
  ])('%j ends the connection, and nothing of it passes', (sent, refusal) => {
    expect(readAll([sent])).toMatchObject({ passed: '', refusal })
    expect(readAll([...sent])).toMatchObject({ passed: '', refusal })
  })

  test('is read once, and kept only up to the largest head', () => {
    for (const unit of ['RTSP/', 'RTSP/1.0 ', 'A', '\r', ' ', 'RTSP/1.0 200 OK\r\nCSeq', '\r\n']) {
      const chunk = unit.repeat(Math.ceil(65_536 / unit.length))
      const taken: number[] = []
      const read = createRtspReader(({ sequence }) => ({ sequence }))
      expect(() => {
        for (let at = 0; at < chunk.length; at += 100) {
          read(Buffer.from(chunk.slice(at, at + 100), 'latin1'))
          taken.push(at)
        }
      }, unit).toThrow(RtspRejection)
      expect(taken.length, unit).toBeLessThanOrEqual(82)
    }
  })

  test('passes unchanged if it is media', () => {
    expect(readAll([picture.repeat(40)])).toMatchObject({ pieces: 1 })
    expect(readAll([`${picture.repeat(40)}${packet('x')}${picture.repeat(40)}`])).toMatchObject({ pieces: 2 })
  })
})

/**
 * The statuses that ffmpeg 5.1 sees, by how it reads: carriage returns skipped, words parted by spaces, packets where a
 * line begins.
 */
const statusesOfFfmpeg = (bytes: string, isPlaying: boolean): number[] => {
  const statuses: number[] = []
  let at = 0
  let line = ''
  let isFirst = true
  let length = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? ''
    at += 1
    if (byte === '$' && line === '') {
      const size = bytes.charCodeAt(at + 1) * 256 + bytes.charCodeAt(at + 2)
      at += isPlaying && size < 8 ? 3 : 3 + size
    } else if (byte === '\n') {
      if (line === '') {
        at += length
        length = 0
        isFirst = true
      } else {
        const [, name = '', value = ''] = /^[ \t]*([^ \t]*)[ \t]*([^ \t]*)/.exec(line) ?? []
        if (isFirst && name.startsWith('RTSP/')) statuses.push(Number.parseInt(value, 10) || 0)
        if (!isFirst && line.toLowerCase().startsWith('content-length:'))
          length = Math.max(0, Number.parseInt(line.slice(15), 10) || 0)
        isFirst = false
      }
      line = ''
    } else if (byte !== '\r') line += byte
  }
  return statuses
}

const word = fc.constantFrom(
  'RTSP/1.0 200 OK\r\n',
  'RTSP/1.0 302 Moved\r\n',
  'RTSP/',
  'RT',
  'SP/',
  '1.0',
  ' ',
  '\t',
  '302',
  '+302',
  '0302',
  '200',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '$',
  '$\0\0',
  '\x04',
  '\x07',
  '$\0\0\x05',
  '$\0\0\x0c',
  'xxxxxxxxxxxx',
  'CSeq: 1\r\n',
  'Content-Length: 4\r\n',
  'Content-Length: 20\r\n',
  'Location: rtsp://x/\r\n',
  ':',
  '\r\n\r\n',
  'OPTIONS * RTSP/1.0\r\n',
)

test('ffmpeg gets no status that the reader has not parsed, however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 14 }),
      fc.infiniteStream(fc.nat({ max: 7 })),
      fc.boolean(),
      (words, cuts, isPlaying) => {
        const sent = words.join('')
        const whole = readAll([sent])
        const chunks: string[] = []
        for (let at = 0; at < sent.length;) {
          const length = (cuts.next().value ?? 0) + 1
          chunks.push(sent.slice(at, at + length))
          at += length
        }
        const cut = readAll(chunks)
        expect([cut.refusal, cut.statuses]).toEqual([whole.refusal, whole.statuses])
        expect(cut.passed.startsWith(whole.passed)).toBe(true)
        const seen = statusesOfFfmpeg(cut.passed, isPlaying)
        expect(seen).toEqual(cut.statuses.slice(0, seen.length))
        expect(cut.statuses.filter((status) => status >= 300 && status < 400)).toEqual([])
      },
    ),
    { numRuns: 5000, seed: 17 },
  )
})
