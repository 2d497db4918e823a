import * as z from 'zod/mini'
import { ClusterNode, ClusterNodes, DrainBody, UiNodes } from '../../src/api/contract/system.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { cpuPercent, diskOf, usedPercent } from '../administration/host-load.ts'
import { forgetVolume, heldOn, volumesOf } from '../archive/retention/forgotten-volumes.ts'
import type { ServerContext, ServerPlugin } from '../context.ts'
import { guarded } from '../guarded.ts'
import { actionNotAcceptable, notFound } from '../http/api-error.ts'
import type { ClusterMember } from './cluster.ts'
import { placementRoutes } from './placement-routes.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['cluster']
const Id = z.object({ id: z.string() })
const diskEveryMs = 10_000

const nodeIsAvailableError = () => actionNotAcceptable('This node is available: stop its server first')

/** Reports load and disk of this machine with the beats. */
const reportLoad = ({ cluster, dataDir }: ServerContext): (() => void) => {
  let diskUsedPercent: number | undefined
  const readDisk = guarded('cluster: disk', async () => {
    diskUsedPercent = usedPercent(await diskOf(dataDir))
  })
  cluster.factSources.push(() => ({
    cpuPercent: cpuPercent(),
    ...(diskUsedPercent === undefined ? {} : { diskUsedPercent }),
  }))
  readDisk()
  const timer = setInterval(readDisk, diskEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const warnOfNodes = ({ cluster, healthSources }: ServerContext): void => {
  healthSources.push(() => {
    const lost = cluster.nodes().flatMap(({ isLost, name }) => (isLost ? [name] : []))
    return [
      ...(cluster.isDrained(cluster.nodeId) ? [{ code: 'CLUSTER_NODE_DRAINED' }] : []),
      ...(lost.length > 0 ? [{ code: 'CLUSTER_NODE_LOST', nodes: lost }] : []),
      ...(cluster.isClockSkewed() ? [{ code: 'CLUSTER_CLOCK_SKEW', isPrivate: true }] : []),
    ]
  })
}

/** The nodes of the cluster, or the one server, which can be drained and returned but not removed. */
export const clusterRoutes: ServerPlugin = (app, context) => {
  const { store, cluster, configuration, features, dataDir, log } = context

  configuration.watch(({ cluster: { isEnabled } }) => {
    if (isEnabled || cluster.isShared) features.add('cluster')
    else features.delete('cluster')
  })
  if (cluster.isShared) {
    features.add('cluster-placement')
    app.addHook('onClose', reportLoad(context))
  }
  warnOfNodes(context)

  const get = (id: string): ClusterMember => {
    const node = cluster.nodes().find((each) => each.id === id)
    if (node === undefined) throw notFound()
    return node
  }

  const countStreams = (id: string): number => {
    if (!cluster.isShared) return Object.values(context.streams.count()).reduce((sum, each) => sum + each, 0)
    return context.streams.list().filter(({ uid }) => cluster.holderOf(uid)?.nodeId === id).length
  }

  /** Measured on this node; reported by other nodes. */
  const loadOf = async ({ id, facts }: ClusterMember): Promise<{ cpuPercent: number; diskUsedPercent: number }> =>
    id === cluster.nodeId
      ? {
          cpuPercent: cpuPercent(),
          diskUsedPercent: await diskOf(dataDir).then(usedPercent, () => facts.diskUsedPercent ?? 0),
        }
      : { cpuPercent: facts.cpuPercent ?? 0, diskUsedPercent: facts.diskUsedPercent ?? 0 }

  const sharedView = ({ isLost, lastBeatAt, facts }: ClusterMember) => {
    const { spoolBytes, handInLagMs, clockAheadMs, viewers } = facts
    return {
      lost: isLost,
      lastBeatTime: lastBeatAt,
      ...(spoolBytes === undefined ? {} : { spoolBytes }),
      ...(handInLagMs === undefined ? {} : { handInLagSeconds: handInLagMs / 1000 }),
      ...(clockAheadMs === undefined ? {} : { clockAheadSeconds: clockAheadMs / 1000 }),
      ...(viewers === undefined ? {} : { viewers }),
    }
  }

  /** The recordings that are only on the disks of an unavailable node. */
  const recordingsOnlyOn = async ({ id, isAvailable }: ClusterMember) => {
    if (!cluster.isShared || isAvailable) return {}
    const held = await heldOn(store, await volumesOf(store, id))
    return {
      heldRecordings: held.map(({ uid, name, bytes, start, finish }) => ({
        streamId: uid,
        name,
        bytes,
        startTime: start,
        endTime: finish,
      })),
    }
  }

  const view = async (node: ClusterMember): Promise<z.output<typeof ClusterNode>> => ({
    id: node.id,
    name: node.name,
    address: node.url,
    available: node.isAvailable,
    drained: node.isDrained,
    version: node.version,
    streams: countStreams(node.id),
    ...(await loadOf(node)),
    ...(cluster.isShared ? sharedView(node) : {}),
    ...(await recordingsOnlyOn(node)),
  })

  app.get(
    '/v1/system/internal/ui/nodes',
    { config: { access: { to: 'user' } }, schema: { tags, response: { 200: UiNodes } } },
    async () => ({
      items: cluster.nodes().map(({ id, name, isAvailable, isDrained }) => ({
        id,
        name,
        available: isAvailable && !isDrained,
      })),
    }),
  )

  app.get('/v1/system/cluster/nodes', { config, schema: { tags, response: { 200: ClusterNodes } } }, async () => ({
    items: await Promise.all(cluster.nodes().map(view)),
  }))

  app.get(
    '/v1/system/cluster/node/:id',
    { config, schema: { tags, params: Id, response: { 200: ClusterNode } } },
    async ({ params }) => view(get(params.id)),
  )

  app.post(
    '/v1/system/cluster/node/:id/drain',
    { config, schema: { tags, params: Id, body: DrainBody, response: { 200: ClusterNode } } },
    async ({ params: { id }, body: { drained } }) => {
      // Another node may have been asked for the opposite since this one's last beat.
      await cluster.refresh()
      if (drained !== get(id).isDrained) {
        await cluster.setDrained(id, drained)
        if (!cluster.isShared) context.streams.reconsider()
        log.info({ id }, drained ? 'the node is drained' : 'the node is returned')
      }
      return view(get(id))
    },
  )

  app.delete(
    '/v1/system/cluster/node/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params: { id } }) => {
      if (id === cluster.nodeId) {
        throw actionNotAcceptable("This node can't remove itself: send the request to another node")
      }
      // Another node may have removed it since this one's last beat.
      await cluster.refresh()
      get(id)
      const requireGone = (): void => {
        if (cluster.isAvailable(id)) throw nodeIsAvailableError()
      }
      requireGone()
      // The volumes are removed before the node, so that an interrupted removal can be repeated.
      for (const volume of await volumesOf(store, id)) await forgetVolume(store, volume, requireGone)
      if (!(await cluster.remove(id))) throw nodeIsAvailableError()
      log.info({ id }, 'the node was removed, with the recordings that only its disks had')
      return {}
    },
  )

  placementRoutes(app, context)
}
