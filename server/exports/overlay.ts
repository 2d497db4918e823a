import type { FileHandle } from 'node:fs/promises'
import { readAt, writeAt } from '../storage/folders.ts'
import { readInit, type Init } from '../media/init.ts'
import { fullSizeOf, hasLeadingPictures, transcodedInit, transcodeSegment } from '../media/transcode.ts'
import type { Piece } from './footage.ts'
import { ExportFailed } from './export-failed.ts'

/** A value of an option of a filter, in a chain of filters (ffmpeg-filters, Notes on filtergraph escaping). */
export const filterText = (text: string): string =>
  text.replace(/[\\':]/g, String.raw`\$&`).replace(/[\\'[\],;]/g, String.raw`\$&`)

/** Half a millisecond, so that no time is cut off to the one before. */
const rounding = 0.0005

const look = 'fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=6:fontsize=max(12\\,h/28):x=w/60'

/** The camera's name below the time, in UTC. `ahead`: what is added to a picture's time, seconds. */
export const overlayFilter = (name: string, ahead: number): string => {
  const offset = (ahead + rounding).toFixed(4)
  const date = String.raw`%{pts:gmtime:${offset}:%Y-%m-%d %H\:%M\:%S}`
  const time = `${date}.%{eif:mod(floor((t+${offset})*1000),1000):d:3} UTC`
  const shown = name.replace(/\p{C}/gu, ' ').toWellFormed().slice(0, 100).toWellFormed()
  return [
    `drawtext=text=${filterText(time)}:${look}:y=h/40`,
    `drawtext=expansion=none:text=${filterText(shown)}:${look}:y=h/40+max(20\\,h/18)`,
  ].join(',')
}

type Kept = Omit<Piece, 'bytes'> & { from: number; to: number }

type Drawing = { name: string; signal: AbortSignal; file: FileHandle }

/**
 * Pieces with time and camera drawn into their pictures, as H.264: drawn while they are read for the first time, and
 * kept in a file for the second one.
 */
export const withOverlay = async (
  head: Init,
  pieces: () => AsyncGenerator<Piece>,
  { name, signal, file }: Drawing,
): Promise<{ init: Init; pieces: () => AsyncGenerator<Piece> }> => {
  const size = fullSizeOf(head)
  const drawn = await transcodedInit(head, signal, { size })
  const init = drawn === undefined ? undefined : readInit(drawn)
  if (init === undefined) throw new ExportFailed('OVERLAY_FAILED')
  const kept: Kept[] = []
  let end = 0

  const draw = async function* (): AsyncGenerator<Piece> {
    let last: Piece | undefined
    for await (const piece of pieces()) {
      const { segment, run, shown, bytes } = piece
      const isNext = last?.run.id === run.id && segment.start - last.segment.finish < 1
      const before = isNext && hasLeadingPictures(bytes, run.init) ? last?.bytes : undefined
      const filter = overlayFilter(name, segment.start / 1000 - shown)
      const made = await transcodeSegment({ init: run.init, segment: bytes, before }, signal, { filter, size })
      signal.throwIfAborted()
      if (made === undefined) throw new ExportFailed('OVERLAY_FAILED')
      await writeAt(file, made, end)
      kept.push({ segment, run, shown, from: end, to: end + made.length })
      end += made.length
      last = piece
      yield { ...piece, bytes: made }
    }
  }

  const again = async function* (): AsyncGenerator<Piece> {
    for (const { from, to, ...piece } of kept) {
      yield { ...piece, bytes: await readAt(file, from, to - from) }
    }
  }

  return { init, pieces: () => (kept.length === 0 ? draw() : again()) }
}
