import { getGroups } from '../../api/resources/groups.ts'
import type { GroupSummary } from '../../api/contract/groups.ts'

const maxPages = 100

/** All groups of both kinds, by name. */
export async function allGroups(signal: AbortSignal) {
  const groups = new Map<string, GroupSummary>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getGroups(page, signal)
    if (!reply.ok) return reply
    const { items, pageSize, total } = reply.value
    for (const group of items) groups.set(group.id, group)
    if (items.length === 0 || page * pageSize >= total) break
  }
  return { ok: true as const, value: [...groups.values()], retryAfterSeconds: null }
}
