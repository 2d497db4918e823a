import * as z from 'zod/mini'
import { alertChannels, alertEvents, weekdays } from '../../src/api/contract/alerts.ts'

/**
 * Something to report: a fault, its end, or an event. `isOver`: the end of a `disk.full` or `node.lost`. `volume`: the
 * path of the one that is missing. `count`: of events with the same stream and label.
 */
export const Happening = z.object({
  on: z.enum(alertEvents),
  isOver: z.optional(z.boolean()),
  streamId: z.optional(z.string()),
  streamName: z.optional(z.string()),
  nodeName: z.optional(z.string()),
  volume: z.optional(z.string()),
  time: z.number(),
  reason: z.optional(z.string()),
  label: z.optional(z.string()),
  count: z.optional(z.number()),
})
export type Happening = z.output<typeof Happening>

/** A happening as messages and deliveries have it. */
export const itemOf = ({ isOver, ...each }: Happening) => ({ ...each, ...(isOver === true ? { over: true } : {}) })

const Destination = z.object({ kind: z.enum(alertChannels), address: z.string(), secret: z._default(z.string(), '') })
export type Destination = z.output<typeof Destination>

const QuietHours = z.object({
  timezone: z.string(),
  summary: z.boolean(),
  periods: z.array(z.object({ days: z.array(z.enum(weekdays)), from: z.string(), to: z.string() })),
})
export type QuietHours = z.output<typeof QuietHours>

export const Rule = z.object({
  on: z.array(z.enum(alertEvents)),
  streams: z.array(z.string()),
  labels: z.array(z.string()),
  quietMinutes: z.number(),
  to: z.array(Destination),
  quietHours: z._default(z.nullable(QuietHours), null),
})
export type StoredAlert = z.output<typeof Rule> & { id: string; name: string }

const likenessOf = ({ on, isOver = false, streamId, nodeName, volume, label, reason }: Happening): string =>
  JSON.stringify([on, isOver, streamId, nodeName, volume, label, reason])

/** Happenings in the order of their times; of those alike but for the time the first remains, with their count. */
export const grouped = (happenings: readonly Happening[]): Happening[] =>
  [
    ...Map.groupBy(
      happenings.toSorted((a, b) => a.time - b.time),
      likenessOf,
    ).values(),
  ].flatMap((alike) => {
    const [first] = alike
    const count = alike.reduce((sum, each) => sum + (each.count ?? 1), 0)
    return first === undefined ? [] : [count === 1 ? first : { ...first, count }]
  })

/**
 * A fault that has lasted since `time`. `subject`: `stream:UID`, `node:ID`, `database`, `disk`, `recording` or
 * `volume:PATH`; of a node of a cluster `disk:ID`, `recording:ID` or `volume:ID:PATH`.
 */
export type Condition = {
  subject: string
  on: 'stream.failed' | 'node.lost' | 'disk.full'
  time: number
  reason: string
  streamId?: string
  streamName?: string
  nodeName?: string
  volume?: string
}

const ofStream = 'stream:'
export const subjectOf = (streamId: string): string => `${ofStream}${streamId}`
export const streamOf = (subject: string): string | undefined =>
  subject.startsWith(ofStream) ? subject.slice(ofStream.length) : undefined

const ofNode = 'node:'
export const nodeSubject = (id: string): string => `${ofNode}${id}`
export const nodeOf = (subject: string): string | undefined =>
  subject.startsWith(ofNode) ? subject.slice(ofNode.length) : undefined

const reasons = { disk: 'DISK_SPACE', recording: 'NOT_RECORDED', volume: 'VOLUME_AWAY' } as const
type DiskFaultKind = keyof typeof reasons
const withNode = (kind: DiskFaultKind, nodeId: string | undefined): string =>
  nodeId === undefined ? kind : `${kind}:${nodeId}`
export const diskSubject = (nodeId?: string): string => withNode('disk', nodeId)
export const recordingSubject = (nodeId?: string): string => withNode('recording', nodeId)
export const volumeSubject = (path: string, nodeId?: string): string => `${withNode('volume', nodeId)}:${path}`

const isDiskFaultKind = (text: string | undefined): text is DiskFaultKind =>
  text !== undefined && Object.hasOwn(reasons, text)
/** Ids of nodes have no colon; what comes before `://` is the scheme of a bucket. */
const partsOfSubject = /^([a-z]+)(?::([\w.-]+)(?!:\/\/))?(?::(.+))?$/su
/** The parts of a subject about a node's disks or a bucket. `nodeId`: of a cluster. `path`: of a volume. */
export const diskFaultOf = (
  subject: string,
): { kind: DiskFaultKind; nodeId: string | undefined; path: string | undefined } | undefined => {
  const [, kind, nodeId, path] = partsOfSubject.exec(subject) ?? []
  return isDiskFaultKind(kind) ? { kind, nodeId, path } : undefined
}

/** The fault of a subject that isn't a stream. */
export const faultOf = (subject: string): Pick<Condition, 'on' | 'reason' | 'nodeName' | 'volume'> => {
  const lostNode = nodeOf(subject)
  if (lostNode !== undefined) return { on: 'node.lost', reason: 'NODE_LOST', nodeName: lostNode }
  const fault = diskFaultOf(subject)
  if (fault === undefined) return { on: 'node.lost', reason: 'DATABASE_AWAY' }
  const { kind, nodeId, path } = fault
  return {
    on: 'disk.full',
    reason: reasons[kind],
    ...(nodeId === undefined ? {} : { nodeName: nodeId }),
    ...(path === undefined ? {} : { volume: path }),
  }
}

/** The state of the site at one moment. */
export type SiteSnapshot = {
  failing: ReadonlyMap<string, Condition>
  /** The state of a subject without a fault. `gone`: removed or paused. `unknown`: not known yet, or not here. */
  stateOf: (subject: string) => 'well' | 'gone' | 'unknown'
  nameOf: (streamId: string) => string
}

export type Event = { streamId: string; streamName: string; label: string; time: number }
