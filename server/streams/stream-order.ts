export type Sortable = { uid: string; name: string; firstTag: string | null }

type Ranks = { byName: number; byTag: number }

/** After every other: the rank of streams without a tag (docs/wire.md §5.2) and of unknown streams. */
export const lastRank = 2 ** 20 - 1

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The ranks of all streams by name and tag, kept up to date: collating 10,000 names for each page is too slow. */
export type StreamOrder = {
  put: (stream: Sortable) => void
  remove: (uid: string) => void
  ranksOf: (uid: string) => Ranks
}

const unranked: Ranks = { byName: lastRank, byTag: lastRank }

const indexIn = (list: readonly Sortable[], name: string): number => {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (collator.compare(list[middle]?.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}

export const createStreamOrder = (streams: readonly Sortable[]): StreamOrder => {
  const known = new Map(streams.map((stream) => [stream.uid, stream]))
  const byName = streams.toSorted((a, b) => collator.compare(a.name, b.name))
  let ranks: Map<string, Ranks> | undefined

  const remove: StreamOrder['remove'] = (uid) => {
    const stream = known.get(uid)
    if (stream === undefined) return
    known.delete(uid)
    byName.splice(byName.indexOf(stream, indexIn(byName, stream.name)), 1)
    ranks = undefined
  }

  const rankAll = (): Map<string, Ranks> => {
    const tags = [...new Set(byName.map(({ firstTag }) => firstTag))]
      .filter((tag) => tag !== null)
      .toSorted(collator.compare)
    const byTag = new Map<string, number>()
    for (const [index, tag] of tags.entries()) {
      const before = tags[index - 1]
      byTag.set(tag, before !== undefined && collator.compare(before, tag) === 0 ? (byTag.get(before) ?? index) : index)
    }
    const found = new Map<string, Ranks>()
    let rank = 0
    let before = ''
    for (const { uid, name, firstTag } of byName) {
      if (name !== before && collator.compare(before, name) !== 0) rank += 1
      before = name
      found.set(uid, { byName: rank, byTag: firstTag === null ? lastRank : (byTag.get(firstTag) ?? lastRank) })
    }
    return found
  }

  return {
    remove,
    put: (stream) => {
      const before = known.get(stream.uid)
      if (before?.name === stream.name && before.firstTag === stream.firstTag) return
      remove(stream.uid)
      known.set(stream.uid, stream)
      byName.splice(indexIn(byName, stream.name), 0, stream)
      ranks = undefined
    },
    ranksOf: (uid) => (ranks ??= rankAll()).get(uid) ?? unranked,
  }
}
