import { hostname } from 'node:os'
import type { Configuration } from '../configuration/configuration.ts'
import type { App } from '../http/fastify.ts'
import type { Connect } from '../store/engine.ts'
import { createDatabaseLog } from '../store/database-log.ts'
import { openSecondConnection } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createAlone } from './alone.ts'
import type { ClusterClock } from './clock.ts'
import type { Cluster } from './cluster.ts'
import { createMember, type MemberOptions } from './member.ts'
import type { ClusterOptions } from './options.ts'

/** The options of a node; tests replace its clocks and the interval of its beats. */
export type MembershipOptions = ClusterOptions &
  Partial<Pick<MemberOptions, 'clock' | 'beatMs' | 'monotonic' | 'pause'>>

type ClusterDatabase = { connect?: Connect; databaseUrl?: string; cluster?: MembershipOptions }

type Dependencies = {
  store: Store
  file: string
  configuration: Configuration
  time: ClusterClock
  nodeId: string
  version: string
}

/**
 * Joins the cluster, or runs alone if none is configured. Leaves the cluster when `app` closes. Logs when the database
 * goes away, which the connection for the beats may find out first.
 */
export const openCluster = async (app: App, needs: Dependencies, options: ClusterDatabase): Promise<Cluster> => {
  const { store, file, configuration, time, nodeId, version } = needs
  const { cluster } = options
  const logOutages = createDatabaseLog((detail, message) => app.log.warn(detail, message))
  logOutages(store)
  if (cluster === undefined) {
    const name = (): string => configuration.values().cluster.nodeName || hostname()
    return createAlone({ store, nodeId, version, name })
  }
  const own = await openSecondConnection(file, options)
  logOutages(own)
  try {
    const { clock = 'now_ms()', ...given } = cluster
    const member = await createMember({ ...given, clock, store: own, version, time, log: app.log })
    app.addHook('onClose', async () => {
      await member.stop()
      await own.close()
    })
    return member
  } catch (error) {
    await own.close()
    throw error
  }
}
