import { address, segment } from '../../call.ts'
import type { Source } from '../controller/media-controller.ts'

/** Where a stream's playlist lives (docs/wire.md §5.3); an archive one carries its bounds. */
export function playlistAddress(source: Source): string {
  const path = `/v1/stream/${segment(source.uid)}/archive/index.m3u8`
  if (source.kind === 'live') return address(path)
  return address(path, { start_time: new Date(source.from).toISOString(), end_time: new Date(source.to).toISOString() })
}
