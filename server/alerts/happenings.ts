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
 * A fault that has lasted since `time`. `subject`: `stream:UID`, `volume:PATH`, `node:ID`, `disk:ID` of a node of a
 * cluster, or one of `faults`.
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

const ofVolume = 'volume:'
export const volumeSubject = (path: string): string => `${ofVolume}${path}`
const ofNode = 'node:'
export const nodeSubject = (id: string): string => `${ofNode}${id}`
export const nodeOf = (subject: string): string | undefined =>
  subject.startsWith(ofNode) ? subject.slice(ofNode.length) : undefined

const ofDisk = 'disk:'
export const diskSubject = (nodeId: string): string => `${ofDisk}${nodeId}`
export const nodeOfDisk = (subject: string): string | undefined =>
  subject.startsWith(ofDisk) ? subject.slice(ofDisk.length) : undefined
const faults = {
  database: { on: 'node.lost', reason: 'DATABASE_AWAY' },
  disk: { on: 'disk.full', reason: 'DISK_SPACE' },
  recording: { on: 'disk.full', reason: 'NOT_RECORDED' },
} as const
const volumeFault = { on: 'disk.full', reason: 'VOLUME_AWAY' } as const
/** The fault of a subject that isn't a stream. */
export const faultOf = (subject: string): Pick<Condition, 'on' | 'reason' | 'nodeName' | 'volume'> => {
  const nodeName = nodeOf(subject)
  if (nodeName !== undefined) return { on: 'node.lost', reason: 'NODE_LOST', nodeName }
  const diskOwner = nodeOfDisk(subject)
  if (diskOwner !== undefined) return { ...faults.disk, nodeName: diskOwner }
  if (subject === 'database' || subject === 'disk' || subject === 'recording') return faults[subject]
  return { ...volumeFault, volume: subject.slice(ofVolume.length) }
}

/** The state of the site at one moment. */
export type SiteSnapshot = {
  failing: ReadonlyMap<string, Condition>
  /** The state of a subject without a fault. `gone`: removed or paused. `unknown`: not known yet, or not here. */
  stateOf: (subject: string) => 'well' | 'gone' | 'unknown'
  nameOf: (streamId: string) => string
}

export type Event = { streamId: string; streamName: string; label: string; time: number }
