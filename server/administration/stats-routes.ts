import { freemem, totalmem } from 'node:os'
import { Series, SeriesQuery, SystemStats } from '../../src/api/contract/system.ts'
import type { ServerPlugin } from '../context.ts'
import { guarded } from '../guarded.ts'
import { validationError } from '../http/api-error.ts'
import { cpuPercent, diskOf } from './host-load.ts'
import { createSampler, createSampleStore, sampleEveryMs } from './samples.ts'

const config = { access: { to: 'administrator' } } as const

/** The load of this node now, and samples of the last week, of any node. */
export const statsRoutes: ServerPlugin = async (app, context) => {
  const { dataDir, store, cluster, overload, healthSources, now, log } = context
  const samples = await createSampleStore(store, cluster.isShared ? cluster.nodeId : '')
  const takeSample = createSampler(context)

  const storeSample = async (): Promise<void> => {
    // Measured here too, so that the next reading covers at most `sampleEveryMs`.
    cpuPercent()
    try {
      const measured = await takeSample()
      overload.add(measured.cpu ?? 0)
      if (store.isOpen()) await samples.add(now(), measured)
    } catch (error) {
      overload.add(0)
      if (store.isOpen()) log.warn({ err: error }, 'a sample of the statistics is missing')
    }
  }
  const timer = setInterval(guarded('statistics: sample', storeSample), sampleEveryMs)
  app.addHook('onClose', () => clearInterval(timer))

  healthSources.push(() =>
    overload.overloadedSamples() > 0 ? [{ code: 'PROCESSOR_OVERLOADED', isPrivate: true }] : [],
  )

  app.get('/v1/system/stats', { config, schema: { tags: ['system'], response: { 200: SystemStats } } }, async () => {
    const count = context.streams.count()
    return {
      cpuPercent: cpuPercent(),
      memoryUsedBytes: totalmem() - freemem(),
      memoryTotalBytes: totalmem(),
      disk: await diskOf(dataDir),
      streams: { total: Object.values(count).reduce((sum, each) => sum + each, 0), running: count.running },
      viewers: context.streams.viewers(),
      uptimeSeconds: Math.round(process.uptime()),
    }
  })

  app.get(
    '/v1/admin/stats',
    { config, schema: { tags: ['administration'], querystring: SeriesQuery, response: { 200: Series } } },
    async ({ query: { from, to, node } }) => {
      if (to <= from) throw validationError({ to: 'Must be after the start' })
      return { series: await samples.series(from, to, cluster.isShared ? node : undefined) }
    },
  )
}
