import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Recordings, Retention } from '../../api/contract/archive.ts'
import type { PlacedStream } from '../../api/contract/cluster.ts'
import type { AuditPage, ClusterNode, License, Series, SystemStats, Tunnel } from '../../api/contract/system.ts'
import type { AuditFilter } from '../../api/resources/administration.ts'
import type { PageInput } from '../app/app.events.ts'
import { isTunnelEnabled } from '../app/open-pages.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import { reasonsIn } from '../stream-pages/locked-reasons.ts'
import { type StatsQuery, nodeOf, spanOf } from './stats-span.ts'

const noQuery = () => null

/** `pin` with an empty `nodeId` unpins the stream. */
export type ClusterCommand =
  | { kind: 'drain'; id: string; drained: boolean }
  | { kind: 'remove'; id: string }
  | { kind: 'move' | 'pin'; streamId: string; nodeId: string }

/** `streams`: which node records each stream; null on a server without placement. */
export interface Cluster {
  nodes: readonly ClusterNode[]
  streams: readonly PlacedStream[] | null
}

/** The server says which node records each stream, and can move and pin streams. */
const placementFeature = 'cluster-placement'
export const hasPlacement = ({ features }: Pick<PageInput['settings'], 'features'>) =>
  features.includes(placementFeature)

export const clusterMachine = resourceMachineOf<Cluster, { hasPlacement: boolean }, ClusterCommand>({
  pollMs: 5000,
  queryOf: ({ settings }) => ({ hasPlacement: hasPlacement(settings) }),
  isOutdating: true,
  isSubject: true,
})

export type TunnelCommand = { kind: 'start'; location: string } | { kind: 'stop' }

/** Nothing is requested while the licence doesn't allow a tunnel; then the value is null. */
export const tunnelMachine = resourceMachineOf<Tunnel | null, { isEnabled: boolean }, TunnelCommand>({
  pollMs: 2000,
  queryOf: ({ settings }) => ({ isEnabled: isTunnelEnabled(settings) }),
  isSubject: true,
})

export const licenseStateMachine = resourceMachineOf<License, null>({ pollMs: null, queryOf: noQuery, isSubject: true })

export const gaugesMachine = resourceMachineOf<SystemStats, null>({ pollMs: 2000, queryOf: noQuery })

/** Deletes the recordings of a stream that was removed; `unlock`: the locked ones, too. */
export interface RecordingCommand {
  kind: 'remove'
  uid: string
  unlock: boolean
}

export const recordingsMachine = resourceMachineOf<Recordings['items'], null, RecordingCommand>({
  pollMs: null,
  queryOf: noQuery,
  needsConfirmation: ({ details }) => reasonsIn(details).length > 0,
})

export const retentionMachine = resourceMachineOf<Retention, null>({ pollMs: 60_000, queryOf: noQuery })

/** Series with the range they were requested for. */
export interface MeasuredSeries extends TimeRange {
  series: Series['series']
}

/**
 * Each node of a cluster has series of its own. The charts show those of the node in the address, else those of the
 * node that answered the request for the settings.
 */
export const seriesMachine = resourceMachineOf<MeasuredSeries, StatsQuery>({
  pollMs: 15_000,
  queryOf: ({ address, settings }) => {
    const defaultNode = hasPlacement(settings) ? settings.nodeId : ''
    return { ...spanOf(address.search), node: nodeOf(address.search) || defaultNode }
  },
})

/** Saves every entry that matches the filter as one CSV file, not only the page that is shown. */
export type AuditCommand = { kind: 'export'; filter: AuditFilter }

export const auditMachine = resourceMachineOf<AuditPage, AuditFilter, AuditCommand>({
  pollMs: null,
  queryOf: auditFilterOf,
  isSubject: true,
})

/** A page of a server that reports no lengths: there are at least the entries up to this page, more if it is full. */
export function withLengths(answer: AuditPage, page: number): AuditPage {
  const { items, total } = answer
  if (total > 0 || (items.length === 0 && page === 1)) return answer
  const pageSize = Math.max(answer.pageSize, items.length)
  return { items, page, pageSize, total: (page - 1) * pageSize + items.length, hasMore: items.length === pageSize }
}

function auditFilterOf({ address }: PageInput): AuditFilter {
  const query = new URLSearchParams(address.search)
  const moment = (name: string) => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? null : at
  }
  return {
    page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
    from: moment('from'),
    to: moment('to'),
    login: query.get('login') ?? '',
    action: query.get('action') ?? '',
  }
}

export function auditSearch({ page, from, to, login, action }: AuditFilter): string {
  const query = new URLSearchParams()
  if (page > 1) query.set('page', String(page))
  if (from !== null) query.set('from', new Date(from).toISOString())
  if (to !== null) query.set('to', new Date(to).toISOString())
  if (login !== '') query.set('login', login)
  if (action !== '') query.set('action', action)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
