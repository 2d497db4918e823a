import type { Room } from './context.ts'
import { streamsPlugin } from './streams/plugin.ts'

/** The rooms of video beside the server's own, in the order they are opened. */
export const rooms: readonly Room[] = [streamsPlugin]
