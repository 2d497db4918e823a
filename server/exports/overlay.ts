import type { FileHandle } from 'node:fs/promises'
import type { JoinedSegment } from '../archive/download.ts'
import { readAt, writeAt } from '../storage/folders.ts'
import { readInit, type Init } from '../media/init.ts'
import { fullSizeOf, hasLeadingPictures, transcodedInit, transcodeSegment } from '../media/transcode.ts'
import { ExportFailed } from './export-failed.ts'

/** Escapes the value of a filter's option (ffmpeg-filters, Notes on filtergraph escaping). */
export const filterText = (text: string): string =>
  text.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`)

/** Half a millisecond, in seconds: ffmpeg cuts times off to whole milliseconds. */
const rounding = 0.0005

const textStyle = 'fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=6:fontsize=max(12\\,h/28):x=w/60'

/** Draws the time in UTC, and the stream's name below it. `mediaEpoch`: the time of media time 0, epoch seconds. */
export const overlayFilter = (name: string, mediaEpoch: number): string => {
  const offset = (mediaEpoch + rounding).toFixed(4)
  const date = String.raw`%{pts:gmtime:${offset}:%Y-%m-%d %H\:%M\:%S}`
  const time = `${date}.%{eif:mod(floor((t+${offset})*1000),1000):d:3} UTC`
  const shown = name.replace(/\p{C}/gu, ' ').toWellFormed().slice(0, 100).toWellFormed()
  return [
    `drawtext=text=${filterText(time)}:${textStyle}:y=h/40`,
    `drawtext=expansion=none:text=${filterText(shown)}:${textStyle}:y=h/40+max(20\\,h/18)`,
  ].join(',')
}

/** Where the bytes of a segment are in the file. */
type StoredSegment = Omit<JoinedSegment, 'bytes'> & { from: number; to: number }

type OverlayOptions = { name: string; signal: AbortSignal; file: FileHandle }

/**
 * Segments with time and name drawn into their pictures, as H.264. They are transcoded while they are read for the
 * first time, and kept in `file` to be read a second time.
 */
export const withOverlay = async (
  head: Init,
  segments: () => AsyncGenerator<JoinedSegment>,
  { name, signal, file }: OverlayOptions,
): Promise<{ init: Init; segments: () => AsyncGenerator<JoinedSegment> }> => {
  const size = fullSizeOf(head)
  const initBytes = await transcodedInit(head, signal, { size })
  const init = initBytes === undefined ? undefined : readInit(initBytes)
  if (init === undefined) throw new ExportFailed('OVERLAY_FAILED')
  const stored: StoredSegment[] = []
  let end = 0

  const draw = async function* (): AsyncGenerator<JoinedSegment> {
    let last: JoinedSegment | undefined
    for await (const joined of segments()) {
      const { segment, run, shown, bytes } = joined
      const isContinuing = last?.run.id === run.id && segment.start - last.segment.finish < 1
      const before = isContinuing && hasLeadingPictures(bytes, run.init) ? last?.bytes : undefined
      const filter = overlayFilter(name, segment.start / 1000 - shown)
      const drawn = await transcodeSegment({ init: run.init, segment: bytes, before }, signal, { filter, size })
      signal.throwIfAborted()
      if (drawn === undefined) throw new ExportFailed('OVERLAY_FAILED')
      await writeAt(file, drawn, end)
      stored.push({ segment, run, shown, from: end, to: end + drawn.length })
      end += drawn.length
      last = joined
      yield { ...joined, bytes: drawn }
    }
  }

  const readAgain = async function* (): AsyncGenerator<JoinedSegment> {
    for (const { from, to, ...rest } of stored) {
      yield { ...rest, bytes: await readAt(file, from, to - from) }
    }
  }

  return { init, segments: () => (stored.length === 0 ? draw() : readAgain()) }
}
