import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { createConnector } from './connector.ts'
import { createNodeCalls, type NodeCalls } from './node-calls.ts'
import { installNodeRequests } from './node-requests.ts'
import type { ClusterOptions } from './options.ts'
import { installPassingOn } from './passing-on.ts'
import { createSigning } from './signing.ts'

/** Lets the nodes of a cluster answer for each other. Undefined for one server alone. Install it before the gate. */
export const installNodeCalls = (
  app: App,
  { cluster, hosts, now, log }: Pick<ServerContext, 'cluster' | 'hosts' | 'now' | 'log'>,
  options: ClusterOptions | undefined,
): NodeCalls | undefined => {
  const signing = options === undefined ? undefined : createSigning(options.secret, options.nodeId, now)
  installNodeRequests(app, signing, { hosts, now }, options?.url)
  if (options === undefined || signing === undefined) return undefined
  const calls = createNodeCalls(cluster, signing, { connect: createConnector(options), now, log })
  installPassingOn(app, cluster, calls)
  app.addHook('onClose', calls.close)
  return calls
}
