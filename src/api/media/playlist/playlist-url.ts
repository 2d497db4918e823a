import { pathSegment, urlOf } from '../../call.ts'
import type { Source } from '../controller/media-controller.ts'

/**
 * Where a stream's playlist lives (docs/wire.md §5.3); an archive one carries its bounds. The main rendition isn't
 * named, so that servers without any are asked as they always were.
 */
export function playlistUrl(source: Source): string {
  const path = `/v1/stream/${pathSegment(source.uid)}/archive/index.m3u8`
  const { rendition } = source
  if (source.kind === 'live') return urlOf(path, { rendition })
  const [start_time, end_time] = [source.from, source.to].map((at) => new Date(at).toISOString())
  return urlOf(path, { start_time, end_time, rendition })
}
