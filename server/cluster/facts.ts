import * as z from 'zod/mini'
import { Stream } from '../../src/api/contract/stream.ts'
import { Tunnel } from '../../src/api/contract/system.ts'
import { parseJson } from '../parse-json.ts'

/** What a node reports of a stream that it records, as other nodes show it. */
const StreamFacts = z.extend(
  z.pick(Stream, { failureReason: true, renditions: true, tracks: true, video: true, ptz: true }),
  {
    status: z.enum(['pending', 'running', 'paused', 'failed']),
    viewers: z.number(),
    /** Bits per second. */
    bitrate: z.number(),
  },
)
export type StreamFacts = z.output<typeof StreamFacts>

/** What a node reports of itself with each beat. Absent members aren't known yet, or don't apply to it. */
export const NodeFacts = z.object({
  cpuPercent: z.optional(z.number()),
  diskUsedPercent: z.optional(z.number()),
  /** The folders of the archive, and those that are missing or can't be written. */
  volumes: z.optional(z.array(z.string())),
  missingVolumes: z.optional(z.array(z.string())),
  /** Whether a write to the archive has failed in the last minute. */
  isRecordingFailing: z.optional(z.boolean()),
  /** Bytes of the indexed chunks on this node's disks that wait for the bucket. */
  spoolBytes: z.optional(z.number()),
  /** How long ago the oldest of them begins; 0 without one. */
  handInLagMs: z.optional(z.number()),
  /** How far the node's clock is ahead of the database's; negative: behind. */
  clockAheadMs: z.optional(z.number()),
  viewers: z.optional(z.number()),
  /** By uid. */
  streams: z.optional(z.record(z.string(), StreamFacts)),
  /** The progress of the exports that the node makes, from 0 to 1, by id. */
  exports: z.optional(z.record(z.string(), z.number())),
  /** The node's tunnel, while it starts or runs. */
  tunnel: z.optional(Tunnel),
})
export type NodeFacts = z.output<typeof NodeFacts>

/** No facts if a newer or older version wrote them in another format. */
export const readFacts = (text: string): NodeFacts => parseJson(NodeFacts, text) ?? {}
