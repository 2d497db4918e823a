import * as z from 'zod/mini'
import { parseJson } from '../parse-json.ts'

/** What a node reports of a stream that it records. `hasCompatible`: as the rendition of docs/wire.md §5.2. */
const StreamFacts = z.object({
  status: z.enum(['pending', 'running', 'paused', 'failed']),
  failureReason: z.string(),
  viewers: z.number(),
  /** Bits a second. */
  bitrate: z.number(),
  hasCompatible: z.boolean(),
  video: z.optional(z.object({ codec: z.string(), width: z.number(), height: z.number(), fps: z.number() })),
})
export type StreamFacts = z.output<typeof StreamFacts>

/** What a node reports of itself with each beat. Absent members aren't known yet. */
export const NodeFacts = z.object({
  cpuPercent: z.optional(z.number()),
  diskUsedPercent: z.optional(z.number()),
  /** Bytes of recordings that have no row in the index yet, or aren't in the bucket yet. */
  spoolBytes: z.optional(z.number()),
  /** How long the oldest of these has waited. */
  handInLagMs: z.optional(z.number()),
  /** How far the node's clock is ahead of the database's; negative: behind. */
  clockAheadMs: z.optional(z.number()),
  viewers: z.optional(z.number()),
  /** By the uid. */
  streams: z.optional(z.record(z.string(), StreamFacts)),
})
export type NodeFacts = z.output<typeof NodeFacts>

/** Facts that a newer or older version wrote otherwise are left out. */
export const readFacts = (text: string): NodeFacts => parseJson(NodeFacts, text) ?? {}
