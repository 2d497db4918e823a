import type { ListedSegment } from '../format/segment.ts'
import type { HourOrPage } from '../index/packed-hours.ts'
import type { HourTexts } from './hour-texts.ts'
import { createLineWriter, maxBytesOfSegment } from './line-writer.ts'
import { breakLines, playlistHead, type MediaUrls } from './playlist.ts'
import { pieceBytes } from './sending.ts'

/**
 * `listed`: the entries of a segment; by default the segment itself. `kind`: playlists of the same kind have the same
 * entries for the same segments.
 */
type Options = {
  urls: MediaUrls
  kind: string
  hourTexts: HourTexts
  listed?: ((segment: ListedSegment) => ListedSegment[]) | undefined
}

/** The text of a playlist of the archive, in pieces, so that other requests run in between. */
export const recordedPlaylist = async function* (
  targetDuration: number,
  pages: AsyncIterable<HourOrPage>,
  { urls, kind, hourTexts, listed }: Options,
): AsyncGenerator<Buffer> {
  const write = createLineWriter(urls)
  let before: ListedSegment | undefined
  let piece = Buffer.allocUnsafe(pieceBytes)
  let [from, at] = [0, 0]
  const written = (): Buffer => piece.subarray(from, at)

  at = piece.write(`${playlistHead(targetDuration)}#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n`, 'latin1')
  for await (const page of pages) {
    if ('packed' in page) {
      const hour = await hourTexts(page, { kind, write, listed })
      if (hour === undefined) continue
      yield written()
      from = at
      yield Buffer.from(breakLines(before, hour.first, urls), 'latin1')
      yield hour.text
      before = hour.last
      continue
    }
    for (const segment of listed === undefined ? page : page.flatMap(listed)) {
      if (at > pieceBytes - maxBytesOfSegment) {
        yield written()
        piece = Buffer.allocUnsafe(pieceBytes)
        from = at = 0
      }
      at = write(piece, at, segment, before)
      before = segment
    }
  }
  at += piece.write('#EXT-X-ENDLIST\n', at, 'latin1')
  yield written()
}
