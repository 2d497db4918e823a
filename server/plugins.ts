import type { ServerPlugin } from './context.ts'
import { ingestWorkers } from './ingest/forked.ts'
import { createStreamsPlugin } from './streams/plugin.ts'

export const plugins: readonly ServerPlugin[] = [createStreamsPlugin({ ingest: ingestWorkers() })]
