import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import * as z from 'zod/mini'
import { SupportBundle } from '../../src/api/contract/system.ts'
import type { Caller } from '../access/access.ts'
import { masked } from '../configuration/configuration.ts'
import type { ServerPlugin, ServerContext } from '../context.ts'
import { maskCredentials } from '../media/source.ts'
import { healthWarnings } from './health-warnings.ts'
import { diskOf } from './host-load.ts'
import { scrub, secretsOf } from './scrub.ts'
import { createSampleStore } from './samples.ts'
import { hourMs } from '../durations.ts'

/** What a running server knows of itself. The bundle of the command `support-bundle` is another (command-bundle.ts). */
const bundleOf = async (context: ServerContext, caller: Caller): Promise<unknown> => {
  const { store, dataDir, settings, configuration, license, cluster, features, serverLog, now } = context
  const uids = await store.all(z.object({ uid: z.string() }), 'SELECT uid FROM streams ORDER BY uid')
  const streams = await context.streams.view(
    caller,
    uids.map(({ uid }) => uid),
  )
  const current = license.current()
  const samples = await createSampleStore(store, cluster.isShared ? cluster.nodeId : '')
  const bundle = {
    made: new Date(now()).toISOString(),
    versions: {
      server: settings.version,
      node: process.version,
      sqlite: process.versions['sqlite'],
      system: `${platform()} ${release()} ${arch()}`,
    },
    machine: {
      processors: cpus().length,
      load: loadavg(),
      memoryTotalBytes: totalmem(),
      // Bundles are made when something is wrong.
      disk: await diskOf(dataDir).catch(() => null),
    },
    process: { memory: process.memoryUsage(), uptimeSeconds: Math.round(process.uptime()) },
    settings: { ...settings, features: [...features].filter(license.allows).toSorted() },
    configuration: masked(configuration.values()),
    licence:
      current === undefined
        ? null
        : { id: current.id, features: current.features, expiresAt: current.expiresAt, isExpired: license.isExpired() },
    node: { isDrained: cluster.isDrained(cluster.nodeId) },
    ...(cluster.isShared ? { nodes: cluster.nodes() } : {}),
    workers: context.streams.workers(),
    health: await healthWarnings(context),
    statistics: await samples.series(now() - hourMs, now() + 1),
    streams: streams.map((stream) => ({
      ...stream,
      streamSource: maskCredentials(stream.streamSource),
      ...(stream.substreamSource === undefined ? {} : { substreamSource: maskCredentials(stream.substreamSource) }),
      ...(stream.onvif === undefined ? {} : { onvif: { ...stream.onvif, url: maskCredentials(stream.onvif.url) } }),
    })),
    log: serverLog.read(undefined),
  }
  return scrub(
    bundle,
    secretsOf(
      configuration.values(),
      streams.flatMap(({ streamSource, substreamSource = '', onvif }) => [
        streamSource,
        substreamSource,
        onvif?.url ?? '',
      ]),
      [current?.text ?? ''],
    ),
  )
}

export const supportBundleRoutes: ServerPlugin = (app, context) => {
  context.features.add('support-bundle')
  app.get(
    '/v1/system/support-bundle',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['system'], response: { 200: SupportBundle } },
    },
    async (request, reply) => {
      const stamp = new Date(context.now()).toISOString().slice(0, 19).replaceAll(':', '-')
      reply.header('content-disposition', `attachment; filename="sightline-support-${stamp}.json"`)
      reply.header('cache-control', 'no-store')
      return z.parse(SupportBundle, await bundleOf(context, request.caller))
    },
  )
}
