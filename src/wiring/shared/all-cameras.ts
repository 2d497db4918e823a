import { getStreams } from '../../api/resources/streams.ts'
import { mapReply } from '../../api/map-reply.ts'
import type { Reply } from '../../api/reply.ts'
import type { Camera, CameraList } from '../../machines/streams/cameras.machine.ts'
import { allPages } from './all-pages.ts'

const maxPages = 100
const query = { groupType: 'none', sortType: 'name', isOnlyAvailable: false, searchingValues: [] } as const

/** The streams that the user may view, sorted by name; the first 5,000 if there are more. */
export const allCameras = async (signal: AbortSignal): Promise<Reply<CameraList>> =>
  mapReply(
    await allPages((page) => getStreams(query, page, signal), { idOf: ({ uid }) => uid, maxPages }),
    ({ items, total }) => ({
      items: items.map(({ uid, name }): Camera => ({ uid, name })),
      total: Math.max(total, items.length),
    }),
  )

/** The first streams by name whose name contains a text. */
export const searchCameras = async (text: string, signal: AbortSignal): Promise<Reply<readonly Camera[]>> =>
  mapReply(await getStreams({ ...query, searchingValues: [text] }, 1, signal), ({ items }) =>
    items.map(({ uid, name }) => ({ uid, name })),
  )
