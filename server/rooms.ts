import type { Room } from './context.ts'
import { ingestWorkers } from './ingest/forked.ts'
import { createStreamsRoom } from './streams/plugin.ts'

export const rooms: readonly Room[] = [createStreamsRoom({ ingest: ingestWorkers() })]
