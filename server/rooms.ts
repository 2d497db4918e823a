import type { Room } from './context.ts'
import { streamsPlugin } from './streams/plugin.ts'

export const rooms: readonly Room[] = [streamsPlugin]
