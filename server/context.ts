import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseSync } from 'node:sqlite'
import type { Stream } from '../src/api/contract/stream.ts'
import type { Access, Caller } from './access/access.ts'
import type { Shares } from './access/shares.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { NodeState } from './cluster/node-state.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { App } from './http/app.ts'
import type { Hosts } from './http/hosts.ts'
import type { ServerLog } from './http/log.ts'
import type { Licence } from './licence/licence.ts'
import type { Post } from './mail/post.ts'
import type { Identity } from './users/identity.ts'
import type { People } from './users/people.ts'
import type { Sessions } from './users/sessions.ts'
import type { Tokens } from './users/tokens.ts'

/** The limits of docs/behaviour.md §15 and what the deployment or its administrators chose; they change while the server runs, so read them when they are needed. */
export type ServerSettings = {
  version: string
  /** This node's id, as streams and settings carry it. */
  nodeId: string
  archiveDownloadMaxSeconds: number
  playlistMaxSeconds: number
  rangesMaxSeconds: number
  /** -1 is without limit. */
  archiveMaxDepthHours: number
  /** Of all users together; -1 is without limit. */
  streamsMax: number
  /** More isn't recorded of a stream; -1 is without limit. */
  streamMbitsMax: number
  /** From this share of the data folder's disk on, health warns. */
  diskWarningPercent: number
  /** Sources may lie on this machine. */
  allowLoopbackSources: boolean
  /** Four demo streams are made on the first start. */
  demo: boolean
  /** Who did and watched what is recorded. */
  isAudited: boolean
}

/**
 * What every room of the server is given. A room keeps its tables by `migrate(db, '<room>', steps)` and stops its
 * processes in `app.addHook('onClose', …)`. The streams room keeps the table `streams` with at least
 * `uid TEXT PRIMARY KEY, name TEXT, owner TEXT REFERENCES users (login) ON UPDATE CASCADE ON DELETE SET NULL`.
 */
export type ServerContext = {
  db: DatabaseSync
  access: Access
  shares: Shares
  /** Absolute; exists. */
  dataDir: string
  settings: ServerSettings
  /** The names it answers to. */
  hosts: Hosts
  configuration: Configuration
  licence: Licence
  node: NodeState
  /** What `settings.features` announces (docs/behaviour.md §2); a room adds its own while it registers. */
  features: Set<string>
  /** What health says now; each source answers the warnings it knows of. */
  healthSources: (() => HealthSource | Promise<HealthSource>)[]
  /** What other rooms ask of the streams; the streams room puts itself in. */
  streams: StreamsPort
  audit: AuditLog
  people: People
  sessions: Sessions
  tokens: Tokens
  identity: Identity
  /** Letters to users. */
  post: Post
  log: FastifyBaseLogger
  /** What was logged lately, for administrators. */
  serverLog: ServerLog
  /** Epoch milliseconds. */
  now: () => number
}

export type StreamsPort = {
  /** The stream as this caller may see it; undefined where they may not know of it. */
  view: (caller: Caller, uid: string) => Stream | undefined
  /** Somebody watches: an on-demand stream runs on for a while (docs/wire.md §5). */
  extendLease: (uid: string) => void
  /** How many streams there are in each status. */
  count: () => Record<'pending' | 'running' | 'paused' | 'failed', number>
  viewers: () => number
  /** Since this server started. */
  recordedBytes: () => number
  /** The node was drained or returned: each stream stops or goes on. */
  reconsider: () => void
}

/** What is `isPrivate` tells a stranger where to attack: administrators alone hear it. */
export type HealthSource = { code: string; expiresAt?: number; usedPercent?: number; isPrivate?: boolean }[]

/** A room of routes: registered in its own scope, after identity, lock, origin and access checks are in place. */
export type Room = (app: App, context: ServerContext) => Promise<void> | void
