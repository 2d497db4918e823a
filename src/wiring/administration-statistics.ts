import { fromPromise } from 'xstate'
import { mapped } from '../api/mapped.ts'
import { getSeries, getStats } from '../api/resources/administration.ts'
import { gaugesMachine, seriesMachine } from '../machines/administration/administration.machines.ts'
import { statisticsMachine } from '../machines/administration/statistics.machine.ts'
import { StatisticsPage } from '../views/administration/StatisticsPage.tsx'
import { definePage } from './page.ts'
import { visibility } from './visibility.ts'

export const page = definePage({
  logic: statisticsMachine.provide({
    actors: {
      gauges: gaugesMachine.provide({ actors: { fetchResource: fromPromise(({ signal }) => getStats(signal)), visibility } }),
      series: seriesMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ input: { query }, signal }) => {
            const to = Date.now()
            const from = to - query.hours * 3_600_000
            return mapped(await getSeries({ from, to }, signal), ({ series }) => ({ series, from, to }))
          }),
          visibility,
        },
      }),
    },
  }),
  View: StatisticsPage,
})
