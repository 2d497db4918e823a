import { type ActorRefFrom, setup } from 'xstate'
import type { PageInput } from '../app/app.events.ts'
import { gaugesMachine, recordingsMachine, retentionMachine, seriesMachine } from './administration.machines.ts'

/** The server reports what removed streams left only if it announces that. */
const recordingsFeature = 'recordings'
const retentionFeature = 'retention'

interface Context {
  gauges: ActorRefFrom<typeof gaugesMachine>
  series: ActorRefFrom<typeof seriesMachine>
  recordings: ActorRefFrom<typeof recordingsMachine> | null
  retention: ActorRefFrom<typeof retentionMachine> | null
}

/**
 * The statistics page: the gauges of now, beside them the series of the last hours, how long each stream is kept, and
 * what removed streams left.
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
