import type { ServerPlugin } from './context.ts'
import { ingestWorkers } from './ingest/forked.ts'
import type { MqttOptions } from './mqtt/options.ts'
import { createStreamsPlugin } from './streams/plugin.ts'

export const pluginsOf = (mqtt: MqttOptions | undefined): readonly ServerPlugin[] => [
  createStreamsPlugin({ ingest: ingestWorkers(), ...(mqtt === undefined ? {} : { mqtt }) }),
]
