import { fromPromise } from 'xstate'
import { mapReply } from '../../api/map-reply.ts'
import {
  getRecordings,
  getRetention,
  getSeries,
  getStats,
  removeRecording,
} from '../../api/resources/administration.ts'
import { getNodes } from '../../api/resources/stream-administration.ts'
import {
  gaugesMachine,
  recordingsMachine,
  retentionMachine,
  seriesMachine,
} from '../../machines/administration/administration.machines.ts'
import { nodesMachine } from '../../machines/stream-pages/nodes.machine.ts'
import { statisticsMachine } from '../../machines/administration/statistics.machine.ts'
import { searchOf, rangeOf } from '../../machines/administration/stats-span.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { StatisticsPage } from '../../views/administration/StatisticsPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'
import { writeAddress } from '../shared/page-address.ts'

export const page = definePage({
  logic: statisticsMachine.provide({
    actors: {
      gauges: gaugesMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => getStats(signal)), visibility },
      }),
      recordings: recordingsMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ signal }) => mapReply(await getRecordings(signal), ({ items }) => items)),
          perform: fromPromise(({ input: { command }, signal }) => removeRecording(command.uid, command, signal)),
          visibility,
        },
      }),
      retention: retentionMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => getRetention(signal)), visibility },
      }),
      nodes: nodesMachine.provide({ actors: { fetchNodes: fromPromise(({ signal }) => getNodes(signal)) } }),
      series: seriesMachine.provide({
        actors: {
          fetchResource: fromPromise(async ({ input: { query }, signal }) => {
            const range = rangeOf(query, Date.now())
            return mapReply(await getSeries(range, query.node, signal), ({ series }) => ({ series, ...range }))
          }),
          visibility,
        },
        actions: {
          writeQuery: ({ system }, { query }) =>
            writeAddress(system, pathTo('statistics') + searchOf(query), { replace: true }),
        },
      }),
    },
  }),
  View: StatisticsPage,
})
