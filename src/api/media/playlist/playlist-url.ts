import { pathSegment, urlOf } from '../../call.ts'
import type { Source } from '../controller/media-controller.ts'

/**
 * The URL of a stream's playlist (docs/wire.md §5.3). The main rendition isn't named, as servers without renditions
 * don't know the parameter.
 */
export function playlistUrl(source: Source): string {
  const path = `/v1/stream/${pathSegment(source.uid)}/archive/index.m3u8`
  const { rendition } = source
  if (source.kind === 'live') return urlOf(path, { rendition })
  const [start_time, end_time] = [source.from, source.to].map((at) => new Date(at).toISOString())
  return urlOf(path, { start_time, end_time, rendition })
}
