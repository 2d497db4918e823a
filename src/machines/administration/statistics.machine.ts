import { type ActorRefFrom, setup } from 'xstate'
import type { PageInput } from '../app/app.events.ts'
import { gaugesMachine, seriesMachine } from './administration.machines.ts'

/** The statistics page: the gauges of now, and beside them the series of the last hours. */
export const statisticsMachine = setup({
  types: {
    context: {} as { gauges: ActorRefFrom<typeof gaugesMachine>; series: ActorRefFrom<typeof seriesMachine> },
    input: {} as PageInput,
  },
  actors: { gauges: gaugesMachine, series: seriesMachine },
}).createMachine({
  id: 'statistics',
  context: ({ spawn, input }) => ({
    gauges: spawn('gauges', { id: 'gauges', input }),
    series: spawn('series', { id: 'series', input }),
  }),
})
