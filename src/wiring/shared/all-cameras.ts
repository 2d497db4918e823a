import { getStreams } from '../../api/resources/streams.ts'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import type { Camera, CameraList } from '../../machines/streams/cameras.machine.ts'

const maxPages = 100
const query = { groupType: 'none', sortType: 'name', isOnlyAvailable: false, searchingValues: [] } as const

/**
 * The streams that the user may view, sorted by name; the first 5,000 if there are more. From a server that doesn't
 * report a total, pages are fetched as long as they have other streams.
 */
export async function allCameras(signal: AbortSignal): Promise<Reply<CameraList>> {
  let all = 0
  let size = 0
  const cameras = new Map<string, Camera>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getStreams(query, page, signal)
    if (!reply.ok) return reply
    const { items, total } = reply.value
    const before = cameras.size
    all = total
    if (page === 1) size = items.length
    for (const { uid, name } of items) cameras.set(uid, { uid, name })
    if (items.length === 0 || (total > 0 ? page * size >= total : cameras.size === before)) break
  }
  const value = { items: [...cameras.values()], total: Math.max(all, cameras.size) }
  return { ok: true, value, retryAfterSeconds: null }
}

/** The first streams by name whose name contains a text. */
export const searchCameras = async (text: string, signal: AbortSignal): Promise<Reply<readonly Camera[]>> =>
  mapReply(await getStreams({ ...query, searchingValues: [text] }, 1, signal), ({ items }) =>
    items.map(({ uid, name }) => ({ uid, name })),
  )
