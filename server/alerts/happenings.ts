import * as z from 'zod/mini'
import { alertChannels, alertEvents } from '../../src/api/contract/alerts.ts'

/** Something to report. `isOver`: a fault of disk or node has ended. `count` of equal events. */
export const Happening = z.object({
  on: z.enum(alertEvents),
  isOver: z.optional(z.boolean()),
  streamId: z.optional(z.string()),
  streamName: z.optional(z.string()),
  time: z.number(),
  reason: z.optional(z.string()),
  label: z.optional(z.string()),
  count: z.optional(z.number()),
})
export type Happening = z.output<typeof Happening>

const Destination = z.object({ kind: z.enum(alertChannels), address: z.string(), secret: z._default(z.string(), '') })
export type Destination = z.output<typeof Destination>

export const Rule = z.object({
  on: z.array(z.enum(alertEvents)),
  streams: z.array(z.string()),
  labels: z.array(z.string()),
  quietMinutes: z.number(),
  to: z.array(Destination),
})
export type StoredAlert = z.output<typeof Rule> & { id: string; name: string }

/** A fault that holds, since `time`. `subject` names it for as long as it is remembered. */
export type Condition = {
  subject: string
  on: 'stream.failed' | 'node.lost' | 'disk.full'
  time: number
  reason: string
  streamId?: string
  streamName?: string
}

const ofStream = 'stream:'
export const subjectOf = (streamId: string): string => `${ofStream}${streamId}`
export const streamOf = (subject: string): string | undefined =>
  subject.startsWith(ofStream) ? subject.slice(ofStream.length) : undefined

/** A volume of the archive is named by its path. */
export const volumeSubject = (path: string): string => `volume:${path}`
const faults = {
  database: { on: 'node.lost', reason: 'DATABASE_AWAY' },
  disk: { on: 'disk.full', reason: 'DISK_SPACE' },
  recording: { on: 'disk.full', reason: 'NOT_RECORDED' },
} as const
const volumeFault = { on: 'disk.full', reason: 'VOLUME_AWAY' } as const
/** What fails with a subject that is no stream. */
export const faultOf = (subject: string): Pick<Condition, 'on' | 'reason'> =>
  subject === 'database' || subject === 'disk' || subject === 'recording' ? faults[subject] : volumeFault

/** What is known of the site at one moment. */
export type SiteSnapshot = {
  failing: ReadonlyMap<string, Condition>
  /** Of what doesn't fail: `gone` was removed or stopped by a user; of `unknown` nothing is known yet. */
  stateOf: (subject: string) => 'well' | 'gone' | 'unknown'
  nameOf: (streamId: string) => string
}

export type Event = { streamId: string; streamName: string; label: string; time: number }
