import type { FastifyBaseLogger } from 'fastify'
import type { Stream } from '../src/api/contract/stream.ts'
import type { Access, Caller } from './access/access.ts'
import type { Shares } from './access/shares.ts'
import type { Overload } from './administration/host-load.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { NodeCalls } from './cluster/node-calls.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { App } from './http/fastify.ts'
import type { Finishing } from './http/finishing.ts'
import type { Hosts } from './http/hosts.ts'
import type { ServerLog } from './http/log.ts'
import type { WorkerFacts } from './ingest/pool.ts'
import type { License } from './license/license.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics/measures.ts'
import type { StorageOptions } from './storage/storage-options.ts'
import type { BackgroundWrites } from './store/background-writes.ts'
import type { Changes } from './store/changes.ts'
import type { Store } from './store/store.ts'
import type { Identity } from './users/identity.ts'
import type { Users } from './users/users.ts'

/** Limits (docs/behaviour.md §15) and settings of the operator. They change at run time: don't keep copies. */
export type ServerSettings = {
  version: string
  nodeId: string
  archiveDownloadMaxSeconds: number
  playlistMaxSeconds: number
  rangesMaxSeconds: number
  /** -1: unlimited. */
  archiveMaxDepthHours: number
  /** For all users together; -1: unlimited. */
  streamsMax: number
  /** Recording limit of a stream; -1: unlimited. */
  streamMbitsMax: number
  /** Streams transcoded at the same time, for browsers that can't play the original. */
  transcodesMax: number
  /** A minute of such a load of all processors is an overload; 0: none is. */
  processorMaxPercent: number
  /** For all streams together; -1: unlimited. */
  archiveMaxGb: number
  /** For the files of all exports together; -1: unlimited. */
  exportsMaxGb: number
  exportsKeepDays: number
  /** Health warns from this usage of the data folder's disk on. */
  diskWarningPercent: number
  allowLoopbackSources: boolean
  demo: boolean
  /** What the single sign-on provider is called; empty: without one, or without a name. */
  oidcName: string
  isAudited: boolean
}

/**
 * What every plugin receives. Its tables are in schema.ts, and it stops its processes in `app.addHook('onClose', …)`.
 * The streams plugin has the table `streams`, with at least `uid TEXT PRIMARY KEY, name TEXT, owner TEXT REFERENCES
 * users (login) ON UPDATE CASCADE ON DELETE SET NULL`.
 */
export type ServerContext = Users &
  StorageOptions & {
    store: Store
    changes: Changes
    backgroundWrites: BackgroundWrites
    access: Access
    shares: Shares
    dataDir: string
    settings: ServerSettings
    hosts: Hosts
    configuration: Configuration
    license: License
    cluster: Cluster
    /** Undefined for one server alone. */
    nodeCalls: NodeCalls | undefined
    /** Of the processors of this machine. */
    overload: Overload
    /** The features of `settings.features` (docs/behaviour.md §2); a plugin adds its own while it is registered. */
    features: Set<string>
    /** The name of the script that the built console begins with; undefined while it isn't built. */
    consoleBuild: () => string | undefined
    /** Each answers the warnings of `/v1/system/health` that it knows of. */
    healthSources: (() => HealthWarning[] | Promise<HealthWarning[]>)[]
    /** What closing waits for, such as downloads in progress. */
    finishing: Finishing
    /** The metrics of `/v1/system/metrics`; plugins add their own. */
    metrics: Metrics
    /** The checks of `/v1/system/ready` (docs/wire.md §5.1); plugins add their own. */
    readyChecks: ReadyCheck[]
    streams: StreamsPort
    audit: AuditLog
    identity: Identity
    mailer: Mailer
    log: FastifyBaseLogger
    serverLog: ServerLog
    /** Epoch milliseconds. */
    now: () => number
  }

type StreamState = 'pending' | 'running' | 'paused' | 'failed'

export type StreamsPort = {
  /** Streams as this caller may see them, in the order of `uids`, without those that the caller may not see. */
  view: (caller: Caller, uids: readonly string[]) => Promise<Stream[]>
  /** Extends the lease of an on-demand stream (docs/wire.md §5). */
  extendLease: (uid: string) => void
  /** Every stream, whichever node records it. */
  list: () => { uid: string; name: string; status: StreamState; isOnDemand: boolean; viewers: number }[]
  count: () => Record<StreamState, number>
  viewers: () => number
  /** Bytes of video recorded since the start. */
  recordedBytes: () => number
  /** The ingest workers. */
  workers: () => WorkerFacts[]
  /** Starts and stops recording as settings and the node's drained state now require. */
  reconsider: () => void
}

/**
 * A warning of `/v1/system/health`. `nodes`: the names of the nodes that it concerns, by default this one.
 * `isOfSite`: it concerns no node. `isPrivate`: shown to administrators only, as it helps attackers.
 */
export type HealthWarning = {
  code: string
  expiresAt?: number
  usedPercent?: number
  donePercent?: number
  volumes?: { path: string; bytes: number }[]
  nodes?: string[]
  isOfSite?: boolean
  isPrivate?: boolean
}

export type ReadyCheck = { name: string; isOk: () => boolean | Promise<boolean> }

/** Registered in a scope of its own (a fastify plugin), after the gate is installed. */
export type ServerPlugin = (app: App, context: ServerContext) => Promise<void> | void
