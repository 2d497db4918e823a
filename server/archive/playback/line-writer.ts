import { minuteMs } from '../../durations.ts'
import type { ListedSegment } from '../format/segment.ts'
import { breakLines, segmentLines, type MediaUrls } from './playlist.ts'

/** The lines of a segment with what precedes them are shorter. */
export const maxBytesOfSegment = 512
/** A camera has few distinct durations. */
const maxTemplates = 1000
/** The starts of thirteen digits: from 2001 to 2286. */
const firstStart = 1e12
const endStart = 1e13
const minuteAt = '#EXT-X-PROGRAM-DATE-TIME:'.length
const secondsAt = minuteAt + '2026-11-28T01:34:'.length
const millisecondsAt = secondsAt + '15.'.length

/** Writes the last digits of a number. */
const writeDigits = (bytes: Buffer, at: number, count: number, value: number): void => {
  let rest = value
  for (let index = at + count - 1; index >= at; index -= 1) {
    const next = (rest / 10) | 0
    bytes[index] = 48 + rest - next * 10
    rest = next
  }
}

/** `minute` and `millions`: of the start in it. */
type Template = { bytes: Buffer; minute: number; millions: number; startAt: number }

/** `before`: the segment before it in the playlist. */
export type LineWriter = (
  bytes: Buffer,
  at: number,
  segment: ListedSegment,
  before: ListedSegment | undefined,
) => number

/**
 * Writes the lines of a segment at an offset, and returns the offset after them. A week has 600,000 segments, whose
 * lines differ in few digits: they are copied from a template, and the digits are overwritten.
 */
export const createLineWriter = (urls: MediaUrls): LineWriter => {
  /** By duration; all of URLs that differ in the start alone. */
  const templates = new Map<number, Template>()
  let url = ''
  let run = Number.NaN
  let minute = Number.NaN
  let minuteText = Buffer.alloc(0)

  const templateOf = (segment: ListedSegment): Template => {
    const known = templates.get(segment.duration)
    if (known !== undefined) return known
    const lines = segmentLines({ ...segment, start: firstStart }, urls)
    const startAt = lines.lastIndexOf(String(firstStart))
    const made = { bytes: Buffer.from(lines, 'latin1'), minute: Number.NaN, millions: Number.NaN, startAt }
    if (templates.size >= maxTemplates) templates.clear()
    templates.set(segment.duration, made)
    return made
  }

  return (bytes, offset, segment, before) => {
    const { start } = segment
    const breaks = breakLines(before, segment, urls)
    if (run !== segment.run) {
      const other = urls.segment({ ...segment, start: firstStart })
      if (other !== url) templates.clear()
      url = other
      run = segment.run
    }
    const at = breaks === '' ? offset : offset + bytes.write(breaks, offset, 'latin1')
    if (start < firstStart || start >= endStart) return at + bytes.write(segmentLines(segment, urls), at, 'latin1')
    const inMinute = start % minuteMs
    if (start - inMinute !== minute) {
      minute = start - inMinute
      minuteText = Buffer.from(new Date(minute).toISOString().slice(0, secondsAt - minuteAt), 'latin1')
    }
    const template = templateOf(segment)
    if (template.minute !== minute) {
      template.bytes.set(minuteText, minuteAt)
      template.minute = minute
    }
    const millions = Math.floor(start / 1e6)
    if (template.millions !== millions) {
      writeDigits(template.bytes, template.startAt, 7, millions)
      template.millions = millions
    }
    bytes.set(template.bytes, at)
    const seconds = Math.floor(inMinute / 1000)
    writeDigits(bytes, at + secondsAt, 2, seconds)
    writeDigits(bytes, at + millisecondsAt, 3, inMinute - seconds * 1000)
    writeDigits(bytes, at + template.startAt + 7, 6, start - millions * 1e6)
    return at + template.bytes.length
  }
}
