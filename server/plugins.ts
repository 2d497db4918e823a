import type { ServerPlugin } from './context.ts'
import { ingestWorkers } from './ingest/forked.ts'
import type { MqttOptions } from './mqtt/options.ts'
import { createStreamsPlugin } from './streams/plugin.ts'

type Options = { mqtt?: MqttOptions | undefined; isMotionIndexed?: boolean }

export const pluginsOf = ({ mqtt, isMotionIndexed = false }: Options): readonly ServerPlugin[] => [
  createStreamsPlugin({ ingest: ingestWorkers(), isMotionIndexed, ...(mqtt === undefined ? {} : { mqtt }) }),
]
