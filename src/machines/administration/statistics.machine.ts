import { type ActorRefFrom, setup } from 'xstate'
import type { PageInput } from '../app/app.events.ts'
import { gaugesMachine, recordingsMachine, retentionMachine, seriesMachine } from './administration.machines.ts'

/** A server without these features doesn't have the calls (docs/wire.md §1). */
const recordingsFeature = 'recordings'
const retentionFeature = 'retention'

interface Context {
  gauges: ActorRefFrom<typeof gaugesMachine>
  series: ActorRefFrom<typeof seriesMachine>
  recordings: ActorRefFrom<typeof recordingsMachine> | null
  retention: ActorRefFrom<typeof retentionMachine> | null
}

/**
 * The statistics page: current gauges, charts of the past, the retention of each stream, and the recordings that
 * removed streams left behind.
 */
export const statisticsMachine = setup({
  types: { context: {} as Context, input: {} as PageInput },
  actors: { gauges: gaugesMachine, series: seriesMachine, recordings: recordingsMachine, retention: retentionMachine },
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
  }),
})
