import { call, pathSegment } from '../call.ts'
import { Recordings, Retention } from '../contract/archive.ts'
import { PlacedStreams } from '../contract/cluster.ts'
import { Logs } from '../contract/stream.ts'
import {
  AuditPage,
  ClusterNodes,
  ConfigurationHistory,
  License,
  SavedConfiguration,
  Series,
  ServerConfiguration,
  SupportBundle,
  SystemStats,
  Tunnel,
} from '../contract/system.ts'
import type { TimeRange } from '../contract/time-range.ts'
import { nothing } from '../contract/wire.ts'
import { iso } from './instant.ts'

export const getLicense = (signal?: AbortSignal) => call(License, { path: '/v1/system/license', signal })

export const putLicense = (text: string, signal?: AbortSignal) =>
  call(License, { path: '/v1/system/license', method: 'PUT', body: { text }, signal })

export const getStats = (signal?: AbortSignal) => call(SystemStats, { path: '/v1/system/stats', signal })

/** The server's statistics. `node`: the id of a node of a cluster; '' for the node that answers. */
export const getSeries = ({ from, to }: TimeRange, node = '', signal?: AbortSignal) =>
  call(Series, {
    path: '/v1/admin/stats',
    query: { from: iso(from), to: iso(to), ...(node === '' ? {} : { node }) },
    signal,
  })

export const getServerConfiguration = (signal?: AbortSignal) =>
  call(ServerConfiguration, { path: '/v1/admin/configuration', signal })

export const putServerConfiguration = (values: Record<string, unknown>, signal?: AbortSignal) =>
  call(SavedConfiguration, { path: '/v1/admin/configuration', method: 'PUT', body: { values }, signal })

/** The saved states of the configuration, newest first; only with the feature `configuration-history`. */
export const getConfigurationHistory = (signal?: AbortSignal) =>
  call(ConfigurationHistory, { path: '/v1/admin/configuration/history', signal })

/** `from` and `to` in epoch milliseconds; null and '' don't filter. */
export interface AuditFilter {
  page: number
  from: number | null
  to: number | null
  login: string
  action: string
}

export const getAuditLogs = ({ page, from, to, login, action }: AuditFilter, signal?: AbortSignal) =>
  call(AuditPage, {
    path: '/v1/admin/audit-logs',
    query: { page, from: iso(from), to: iso(to), login: login || undefined, action: action || undefined },
    signal,
  })

/** The server's log; with `after`, the id of a line, only the lines after it. */
export const getServerLogs = (after: string | null, signal?: AbortSignal) =>
  call(Logs, { path: '/v1/system/logs', query: { after: after ?? undefined }, signal })

/** Diagnostics for support staff, without secrets; only with the feature `support-bundle`. */
export const getSupportBundle = (signal?: AbortSignal) =>
  call(SupportBundle, { path: '/v1/system/support-bundle', signal })

/** The archives of deleted streams; only with the feature `recordings`. */
export const getRecordings = (signal?: AbortSignal) => call(Recordings, { path: '/v1/admin/recordings', signal })

/** Refused while a range of it is locked, unless `unlock` is set (docs/wire.md §6, `locks`). */
export const removeRecording = (uid: string, { unlock }: { unlock: boolean }, signal?: AbortSignal) =>
  call(nothing, {
    path: `/v1/admin/recordings/${pathSegment(uid)}`,
    method: 'DELETE',
    query: { unlock: unlock || undefined },
    signal,
  })

/** The archive of each stream and how long it is kept; only with the feature `retention`. */
export const getRetention = (signal?: AbortSignal) => call(Retention, { path: '/v1/admin/retention', signal })

export const getClusterNodes = (signal?: AbortSignal) =>
  call(ClusterNodes, { path: '/v1/system/cluster/nodes', signal })

export const drainNode = (id: string, drained: boolean, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/system/cluster/node/${pathSegment(id)}/drain`, method: 'POST', body: { drained }, signal })

export const removeNode = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/system/cluster/node/${pathSegment(id)}`, method: 'DELETE', signal })

/** The node of each stream; only with the feature `cluster-placement`, like moving and pinning. */
export const getPlacedStreams = (signal?: AbortSignal) =>
  call(PlacedStreams, { path: '/v1/system/cluster/streams', signal })

export const moveStream = (uid: string, nodeId: string, signal?: AbortSignal) =>
  call(nothing, {
    path: `/v1/system/cluster/stream/${pathSegment(uid)}/move`,
    method: 'POST',
    body: { nodeId },
    signal,
  })

/** `nodeId` '' unpins the stream. */
export const pinStream = (uid: string, nodeId: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/system/cluster/stream/${pathSegment(uid)}/pin`, method: 'POST', body: { nodeId }, signal })

export const getTunnel = (signal?: AbortSignal) => call(Tunnel, { path: '/v1/tunnel/status', signal })

export const startTunnel = (location: string, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/tunnel/start', method: 'POST', body: { location }, signal })

export const stopTunnel = (signal?: AbortSignal) => call(nothing, { path: '/v1/tunnel/stop', method: 'POST', signal })
