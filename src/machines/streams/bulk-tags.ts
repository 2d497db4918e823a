import type { Stream, StreamBody } from '../../api/contract/stream.ts'
import { bodyOf } from './bulk-body.ts'
import { compareTags } from './grouping.ts'

/** The body that changes a stream's tags; null if they don't change. */
export function bodyWithTags(
  stream: Stream,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): StreamBody | null {
  const kept = stream.tags.filter((tag) => !removed.includes(tag))
  const tags = [...new Set([...kept, ...added])]
  if (tags.length === stream.tags.length && tags.every((tag, index) => tag === stream.tags[index])) return null
  return { ...bodyOf(stream), tags }
}

export const tagsAmong = (streams: Iterable<Stream>): string[] =>
  [...new Set([...streams].flatMap(({ tags }) => tags))].filter((tag) => tag !== '').toSorted(compareTags)

export const tagsIn = (text: string): string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
