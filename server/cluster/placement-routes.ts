import * as z from 'zod/mini'
import { MoveBody, PinBody, PlacedStreams } from '../../src/api/contract/cluster.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { ServerContext } from '../context.ts'
import { notFound, validationError } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'

const config = { access: { to: 'administrator' } } as const
const tags = ['cluster']
const Uid = z.object({ uid: z.string() })

/** Where each stream is recorded, and how an administrator decides it. */
export const placementRoutes = (app: App, context: ServerContext): void => {
  const { cluster } = context
  const requireStream = (uid: string): void => {
    if (!context.streams.list().some((stream) => stream.uid === uid)) throw notFound()
  }
  const requireNode = (id: string): void => {
    if (!cluster.nodes().some((node) => node.id === id)) throw validationError({ nodeId: 'Unknown node' })
  }

  app.get('/v1/system/cluster/streams', { config, schema: { tags, response: { 200: PlacedStreams } } }, async () => ({
    items: context.streams.list().map(({ uid, name, status, isOnDemand, viewers }) => {
      const holder = cluster.holderOf(uid)
      return {
        streamId: uid,
        name,
        status,
        live: { onDemand: isOnDemand },
        viewers,
        nodeId: holder?.nodeId ?? '',
        since: cluster.isShared ? holder?.since : undefined,
        reason: holder?.reason ?? '',
        pinnedNodeId: cluster.pinOf(uid) ?? '',
        nextNodeId: holder?.nextNodeId ?? '',
      }
    }),
  }))

  app.post(
    '/v1/system/cluster/stream/:uid/move',
    { config, schema: { tags, params: Uid, body: MoveBody, response: { 200: nothing } } },
    async ({ params: { uid }, body: { nodeId } }) => {
      requireStream(uid)
      requireNode(nodeId)
      if (!cluster.isAvailable(nodeId) || cluster.isDrained(nodeId)) {
        throw validationError({ nodeId: 'This node takes no streams now' })
      }
      if (cluster.pinOf(uid) === undefined) await cluster.move(uid, nodeId)
      else await cluster.pin(uid, nodeId)
      return {}
    },
  )

  app.post(
    '/v1/system/cluster/stream/:uid/pin',
    { config, schema: { tags, params: Uid, body: PinBody, response: { 200: nothing } } },
    async ({ params: { uid }, body: { nodeId } }) => {
      requireStream(uid)
      if (nodeId !== '') requireNode(nodeId)
      await cluster.pin(uid, nodeId === '' ? null : nodeId)
      return {}
    },
  )
}
