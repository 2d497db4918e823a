import type { Reply } from '../../api/reply.ts'

interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly hasMore?: boolean | undefined
}

interface AllPages<Item> {
  readonly items: readonly Item[]
  /** As the last page reports it; 0 if the server doesn't. */
  readonly total: number
}

/**
 * Fetches a list page by page. Its items are collected by their ids, as what is added meanwhile shifts the pages. From
 * a server that doesn't report a total, pages are fetched as long as they have other items.
 */
export async function allPages<Item>(
  fetchPage: (page: number) => Promise<Reply<ListPage<Item>>>,
  { idOf, maxPages }: { readonly idOf: (item: Item) => string; readonly maxPages: number },
): Promise<Reply<AllPages<Item>>> {
  const found = new Map<string, Item>()
  let all = 0
  let size = 0
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await fetchPage(page)
    if (!reply.ok) return reply
    const { items, total, hasMore = false } = reply.value
    const before = found.size
    all = total
    if (page === 1) size = items.length
    for (const item of items) found.set(idOf(item), item)
    const isLast = total > 0 ? page * size >= total && !hasMore : found.size === before
    if (items.length === 0 || isLast) break
  }
  return { ok: true, value: { items: [...found.values()], total: all }, retryAfterSeconds: null }
}
