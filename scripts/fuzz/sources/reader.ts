/** Reads RTSP answers as ffmpeg does (libavformat/rtsp.c, ff_rtsp_read_reply). */
export type RtspReader = {
  /** Takes bytes; returns the statuses of the answers that they complete. */
  take: (chunk: Buffer) => number[]
}

const maxLine = 4095
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 13 || code === 10

const firstWords = (line: string): [string, string] => {
  const words: string[] = []
  for (let at = 0; words.length < 2;) {
    while (at < line.length && isBlank(line.charCodeAt(at))) at += 1
    let end = at
    while (end < line.length && !isBlank(line.charCodeAt(end))) end += 1
    words.push(line.slice(at, end))
    at = end
  }
  return [words[0] ?? '', words[1] ?? '']
}

/** Parses a number as C does: ignores what follows the digits and keeps 32 bits. */
const numberOf = (text: string): number => {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)/.exec(text.split('\0')[0] ?? '')?.[1]
  if (digits === undefined) return 0
  const whole = BigInt(digits)
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]
  return Number(BigInt.asIntN(32, whole < least ? least : whole > most ? most : whole))
}

export const createRtspReader = (): RtspReader => {
  let line: number[] = []
  let lines = 0
  let status = 0
  let body = 0
  let skip = 0
  let frame: number[] | undefined

  const endLine = (): number | undefined => {
    const text = Buffer.from(line).toString('latin1').split('\0')[0] ?? ''
    line = []
    if (text === '') {
      const done = status
      skip = Math.max(0, body)
      ;[lines, status, body] = [0, 0, 0]
      return done
    }
    if (lines === 0) {
      const [first, second] = firstWords(text)
      if (first.startsWith('RTSP/')) status = numberOf(second)
    } else if (/^content-length:/i.test(text)) body = numberOf(text.slice(15))
    lines += 1
    return undefined
  }

  const readOne = (code: number): number | undefined => {
    if (skip > 0) {
      skip -= 1
    } else if (frame !== undefined) {
      frame.push(code)
      if (frame.length < 3) return undefined
      skip = ((frame[1] ?? 0) << 8) | (frame[2] ?? 0)
      frame = undefined
    } else if (code === 10) {
      return endLine()
    } else if (code === 0x24 && line.length === 0) {
      frame = []
    } else if (code !== 13 && line.length < maxLine) {
      line.push(code)
    }
    return undefined
  }

  return { take: (chunk) => [...chunk].flatMap((code) => readOne(code) ?? []) }
}
