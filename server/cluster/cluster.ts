import { hostname } from 'node:os'
import * as z from 'zod/mini'
import { ClusterNode, ClusterNodes, DrainBody, UiNodes } from '../../src/api/contract/system.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { cpuPercent, diskOf, usedPercent } from '../administration/host-load.ts'
import type { ServerPlugin } from '../context.ts'
import { actionNotAcceptable, notFound } from '../http/api-error.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['cluster']
const Id = z.object({ id: z.string() })

/** A cluster of one node, which can be drained and returned but not removed. */
export const clusterRoutes: ServerPlugin = (app, context) => {
  const { settings, configuration, features, healthSources, node, dataDir, log } = context

  configuration.watch(({ cluster }) => {
    if (cluster.isEnabled) features.add('cluster')
    else features.delete('cluster')
  })
  healthSources.push(() => (node.isDrained() ? [{ code: 'CLUSTER_NODE_DRAINED' }] : []))

  const nameOf = () => configuration.values().cluster.nodeName || hostname()

  const own = async (): Promise<z.output<typeof ClusterNode>> => ({
    id: settings.nodeId,
    name: nameOf(),
    address: hostname(),
    available: true,
    drained: node.isDrained(),
    version: settings.version,
    streams: Object.values(context.streams.count()).reduce((sum, each) => sum + each, 0),
    cpuPercent: cpuPercent(),
    diskUsedPercent: usedPercent(await diskOf(dataDir)),
  })

  const requireOwn = (id: string): void => {
    if (id !== settings.nodeId) throw notFound()
  }

  app.get(
    '/v1/system/internal/ui/nodes',
    { config: { access: { to: 'user' } }, schema: { tags, response: { 200: UiNodes } } },
    async () => ({ items: [{ id: settings.nodeId, name: nameOf(), available: !node.isDrained() }] }),
  )

  app.get('/v1/system/cluster/nodes', { config, schema: { tags, response: { 200: ClusterNodes } } }, async () => ({
    items: [await own()],
  }))

  app.get(
    '/v1/system/cluster/node/:id',
    { config, schema: { tags, params: Id, response: { 200: ClusterNode } } },
    async ({ params }) => {
      requireOwn(params.id)
      return own()
    },
  )

  app.post(
    '/v1/system/cluster/node/:id/drain',
    { config, schema: { tags, params: Id, body: DrainBody, response: { 200: ClusterNode } } },
    async ({ params, body }) => {
      requireOwn(params.id)
      if (body.drained !== node.isDrained()) {
        await node.setDrained(body.drained)
        context.streams.reconsider()
        log.info(body.drained ? 'the node is drained' : 'the node is back')
      }
      return own()
    },
  )

  app.delete(
    '/v1/system/cluster/node/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      requireOwn(params.id)
      throw actionNotAcceptable('This node answers you: it can not remove itself')
    },
  )
}
