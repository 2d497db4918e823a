import type { Room } from './context.ts'
import { ingestWorkers } from './ingest/forked.ts'
import type { MqttOptions } from './mqtt/options.ts'
import { createStreamsRoom } from './streams/plugin.ts'

export const roomsOf = (mqtt: MqttOptions | undefined): readonly Room[] => [
  createStreamsRoom({ ingest: ingestWorkers(), ...(mqtt === undefined ? {} : { mqtt }) }),
]
