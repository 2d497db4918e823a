import type { Stream } from '../../api/contract/stream.ts'
import { shownStatus } from '../stream/stream.selectors.ts'
import { type Listing, loadedStreams } from './listing.ts'
import type { GroupType } from './preferences.ts'

/** `all`: the whole list, if it isn't grouped; `rest`: the streams that aren't loaded yet. */
export interface Section {
  readonly kind: 'all' | 'tag' | 'untagged' | 'rest'
  readonly tag: string
  readonly count: number
  /** Empty for `all`, whose streams are in the listing, and for `rest`. */
  readonly streams: readonly Stream[]
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

export const compareTags = (one: string, other: string): number =>
  collator.compare(one, other) || (one < other ? -1 : 1)

const tagsOf = ({ tags }: Stream): readonly string[] => [...new Set(tags)].filter((tag) => tag !== '')

/** A stream is in the section of each of its tags; streams without tags come last (docs/behaviour.md §5). */
export function groupByTag(streams: readonly Stream[]): Section[] {
  const groups = new Map<string, Stream[]>()
  for (const stream of streams) {
    for (const tag of tagsOf(stream)) {
      const group = groups.get(tag)
      if (group === undefined) groups.set(tag, [stream])
      else group.push(stream)
    }
  }
  const untagged = streams.filter((stream) => tagsOf(stream).length === 0)
  const tagged = [...groups].toSorted(([one], [other]) => compareTags(one, other))
  return [
    ...tagged.map(([tag, members]): Section => ({ kind: 'tag', tag, count: members.length, streams: members })),
    ...(untagged.length === 0
      ? []
      : [{ kind: 'untagged', tag: '', count: untagged.length, streams: untagged } as const]),
  ]
}

const grouped = new WeakMap<Listing, readonly Section[]>()

/** The sections of the list, computed once for each listing. */
export function sectionsOf(listing: Listing, groupType: GroupType): readonly Section[] {
  if (groupType === 'none') return [{ kind: 'all', tag: '', count: listing.total, streams: [] }]
  const cached = grouped.get(listing)
  if (cached !== undefined) return cached
  const known = loadedStreams(listing)
  const rest = Math.max(0, listing.total - known.length)
  const sections: readonly Section[] = [
    ...groupByTag(known),
    ...(rest === 0 ? [] : [{ kind: 'rest', tag: '', count: rest, streams: [] } as const]),
  ]
  grouped.set(listing, sections)
  return sections
}

export interface Counts {
  /** How many streams are loaded. */
  readonly known: number
  readonly tags: readonly { tag: string; count: number }[]
  readonly statuses: readonly { status: string; count: number }[]
}

const counted = new WeakMap<Listing, Counts>()

/** How many of the loaded streams have each tag and each status, most common first. */
export function countsOf(listing: Listing): Counts {
  const cached = counted.get(listing)
  if (cached !== undefined) return cached
  const streams = loadedStreams(listing)
  const counts: Counts = {
    known: streams.length,
    tags: tally(streams.flatMap((stream) => tagsOf(stream))).map(([tag, count]) => ({ tag, count })),
    statuses: tally(streams.map(shownStatus)).map(([status, count]) => ({ status, count })),
  }
  counted.set(listing, counts)
  return counts
}

/** How often each value occurs, the most frequent first. */
function tally(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([one, ones], [other, others]) => others - ones || compareTags(one, other))
}
