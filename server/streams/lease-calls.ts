import * as z from 'zod/mini'
import { holderElsewhere } from '../cluster/cluster.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { monotonicNow } from '../monotonic.ts'
import type { Site } from './site.ts'

const Uid = z.object({ uid: z.string().check(z.maxLength(100)) })
/** Clients extend a lease each few seconds; the holder needs it once in that time. */
const everyMs = 3000

/** Extends the lease of a stream on the node that records it. */
export const createLeaseCalls = (
  app: App,
  { cluster, nodeCalls }: Pick<ServerContext, 'cluster' | 'nodeCalls'>,
  site: Pick<Site, 'extendLease'>,
): ((uid: string) => void) => {
  if (nodeCalls === undefined) return site.extendLease
  const askedAt = new Map<string, number>()

  app.get(
    '/v1/internal/lease/:uid',
    { config: { access: { to: 'anyone' }, beforeFirstAdministrator: true }, schema: { hide: true, params: Uid } },
    async ({ params }) => {
      site.extendLease(params.uid)
      return {}
    },
  )

  const ask = async (uid: string, nodeId: string): Promise<void> => {
    await nodeCalls.ask(nodeId, { path: `/v1/internal/lease/${encodeURIComponent(uid)}` }).catch(() => undefined)
  }

  return (uid) => {
    const holder = holderElsewhere(cluster, uid)
    if (holder === undefined) return site.extendLease(uid)
    if (monotonicNow() - (askedAt.get(uid) ?? -Infinity) < everyMs) return undefined
    askedAt.set(uid, monotonicNow())
    return guarded('streams: lease of another node', ask)(uid, holder)
  }
}
