import { type ActorRefFrom, setup } from 'xstate'
import type { PageInput } from '../app/app.events.ts'
import { nodesMachine } from '../stream-pages/nodes.machine.ts'
import {
  gaugesMachine,
  hasPlacement,
  recordingsMachine,
  retentionMachine,
  seriesMachine,
} from './administration.machines.ts'

/** The server has the calls only with these features (docs/wire.md §1). */
const recordingsFeature = 'recordings'
const retentionFeature = 'retention'

interface Context {
  gauges: ActorRefFrom<typeof gaugesMachine>
  series: ActorRefFrom<typeof seriesMachine>
  recordings: ActorRefFrom<typeof recordingsMachine> | null
  retention: ActorRefFrom<typeof retentionMachine> | null
  /** The nodes to choose from, as the charts show the series of one; null outside of a cluster. */
  nodes: ActorRefFrom<typeof nodesMachine> | null
}

/**
 * The statistics page: current gauges, charts of the past (in a cluster those of one node), the retention of each
 * stream, and the recordings of streams that were removed.
 */
export const statisticsMachine = setup({
  types: { context: {} as Context, input: {} as PageInput },
  actors: {
    gauges: gaugesMachine,
    series: seriesMachine,
    recordings: recordingsMachine,
    retention: retentionMachine,
    nodes: nodesMachine,
  },
}).createMachine({
  id: 'statistics',
  context: ({ spawn, input }) => ({
    gauges: spawn('gauges', { id: 'gauges', input }),
    series: spawn('series', { id: 'series', input }),
    recordings: input.settings.features.includes(recordingsFeature)
      ? spawn('recordings', { id: 'recordings', input })
      : null,
    retention: input.settings.features.includes(retentionFeature)
      ? spawn('retention', { id: 'retention', input })
      : null,
    nodes: hasPlacement(input.settings) ? spawn('nodes', { id: 'nodes' }) : null,
  }),
})
