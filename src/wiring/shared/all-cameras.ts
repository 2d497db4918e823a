import { getStreams } from '../../api/resources/streams.ts'
import type { Camera } from '../../machines/streams/cameras.machine.ts'

const maxPages = 100
const query = { groupType: 'none', sortType: 'name', isOnlyAvailable: false, searchingValues: [] } as const

/** All streams that the user may view, sorted by name. */
export async function allCameras(signal: AbortSignal) {
  const cameras = new Map<string, Camera>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getStreams(query, page, signal)
    if (!reply.ok) return reply
    const { items, pageSize, total } = reply.value
    for (const { uid, name } of items) cameras.set(uid, { uid, name })
    if (items.length === 0 || page * pageSize >= total) break
  }
  return { ok: true as const, value: [...cameras.values()], retryAfterSeconds: null }
}
