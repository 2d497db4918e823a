import type { Stream, StreamBody } from '../../api/contract/stream.ts'

/**
 * The body that changes nothing of a stream. Hidden credentials go back as `***`, and what the body leaves out, such as
 * the substream, stays (docs/wire.md §4, §5.2).
 */
export const bodyOf = ({ name, streamSource, tags, location, archive, live, meta, node }: Stream): StreamBody => ({
  name,
  streamSource,
  tags,
  location,
  archive,
  live,
  meta: { marker: meta.marker },
  ...(node.id === '' ? {} : { node: { id: node.id } }),
})
