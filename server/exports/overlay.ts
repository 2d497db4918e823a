import type { FileHandle } from 'node:fs/promises'
import type { JoinedSegment } from '../archive/playback/download.ts'
import { drawnSegments } from '../archive/playback/drawn-segments.ts'
import { readAt, writeAt } from '../storage/folders.ts'
import { readInit, type Init } from '../media/init.ts'
import { maskFilter, type Masks } from '../media/masks.ts'
import { fullSizeOf, transcodedInit } from '../media/transcode.ts'
import { zoneOffsets, type ZoneOffset } from '../time-zone.ts'
import { ExportFailed } from './export-failed.ts'

/** Escapes the value of a filter's option (ffmpeg-filters, Notes on filtergraph escaping). */
export const filterText = (text: string): string =>
  text.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`)

/** Half a millisecond, in seconds: ffmpeg cuts times off to whole milliseconds. */
const rounding = 0.0005

const textStyle = 'fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=6:fontsize=max(12\\,h/28):x=w/60'

/** Says `UTC` rather than +00:00. */
export const utc: readonly ZoneOffset[] = [{ from: 0, offset: 'UTC', seconds: 0 }]

/**
 * Draws the time with its offset from UTC, and the stream's name below it. `mediaEpoch`: the time of media time 0,
 * epoch seconds. Each of several offsets is enabled until the next one. ffmpeg only adds them: `localtime` would need
 * the system's zones, which may be missing or old.
 */
export const overlayFilter = (name: string, mediaEpoch: number, offsets: readonly ZoneOffset[]): string => {
  const epoch = (mediaEpoch + rounding).toFixed(4)
  const times = offsets.map(({ from, offset, seconds }, index) => {
    const local = (mediaEpoch + rounding + seconds).toFixed(4)
    const date = String.raw`%{pts:gmtime:${local}:%Y-%m-%d %H\:%M\:%S}`
    const time = `${date}.%{eif:mod(floor((t+${epoch})*1000),1000):d:3} ${offset}`
    const next = offsets[index + 1]
    const enabled = [
      ...(index === 0 ? [] : [`gte(t+${epoch},${from / 1000})`]),
      ...(next === undefined ? [] : [`lt(t+${epoch},${next.from / 1000})`]),
    ].join('*')
    const during = enabled === '' ? '' : `:enable=${filterText(enabled)}`
    return `drawtext=text=${filterText(time)}:${textStyle}:y=h/40${during}`
  })
  const shown = name.replace(/\p{C}/gu, ' ').toWellFormed().slice(0, 100).toWellFormed()
  return [...times, `drawtext=expansion=none:text=${filterText(shown)}:${textStyle}:y=h/40+max(20\\,h/18)`].join(',')
}

/** Where the bytes of a segment are in the file. */
type StoredSegment = Omit<JoinedSegment, 'bytes'> & { from: number; to: number }

/** So many bytes are drawn between two checks of the space. */
const checkedBytes = 64 * 1024 * 1024

type DrawOptions = {
  /** The stream's name and the zone of the time, drawn above the masks; undefined for masks alone. */
  caption: { name: string; timezone: string } | undefined
  masks: Masks
  signal: AbortSignal
  file: FileHandle
  /** Rejects if there is no space for so many more bytes. */
  requireSpace: (bytes: number) => Promise<void>
}

/**
 * Segments with masks, time and name drawn into their pictures, as H.264. They are transcoded while they are read for
 * the first time, and kept in `file` to be read a second time.
 */
export const withDrawing = async (
  head: Init,
  segments: () => AsyncGenerator<JoinedSegment>,
  { caption, masks, signal, file, requireSpace }: DrawOptions,
): Promise<{ init: Init; segments: () => AsyncGenerator<JoinedSegment> }> => {
  const failure = () => new ExportFailed(masks.length > 0 ? 'MASKS_FAILED' : 'OVERLAY_FAILED')
  const captionOf = ({ segment: { start, finish }, shown }: JoinedSegment): string[] => {
    if (caption === undefined) return []
    const { name, timezone } = caption
    return [overlayFilter(name, start / 1000 - shown, timezone === 'UTC' ? utc : zoneOffsets(timezone, start, finish))]
  }
  const filterOf = (joined: JoinedSegment): string =>
    [...(masks.length > 0 ? [maskFilter(masks)] : []), ...captionOf(joined)].join(',')
  const size = fullSizeOf(head)
  const initBytes = await transcodedInit(head, signal, { size })
  const init = initBytes === undefined ? undefined : readInit(initBytes)
  if (init === undefined) throw failure()
  const stored: StoredSegment[] = []
  let end = 0
  let checkedAt = 0

  const draw = async function* (): AsyncGenerator<JoinedSegment> {
    for await (const joined of drawnSegments(segments(), { filterOf, size, failure, signal })) {
      const { bytes, ...rest } = joined
      await writeAt(file, bytes, end)
      stored.push({ ...rest, from: end, to: end + bytes.length })
      end += bytes.length
      // Drawn segments are often larger than the recorded ones, and are copied to the ZIP.
      if (end - checkedAt >= checkedBytes) {
        await requireSpace(end)
        checkedAt = end
      }
      yield joined
    }
  }

  const readAgain = async function* (): AsyncGenerator<JoinedSegment> {
    for (const { from, to, ...rest } of stored) {
      yield { ...rest, bytes: await readAt(file, from, to - from) }
    }
  }

  return { init, segments: () => (stored.length === 0 ? draw() : readAgain()) }
}
