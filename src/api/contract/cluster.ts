import * as z from 'zod/mini'
import { atMost, flag, items, key, optionalInstant, text } from './wire.ts'

/**
 * Which node records a stream since when and why (feature `cluster-placement`). `reason` is `placed`, `failover`,
 * `restarted`, `drained`, `pinned`, `moved` or `balanced`. `nextNodeId` is about to take the stream over. `live` and
 * `viewers` are as in a stream.
 */
export const PlacedStream = z.object({
  streamId: z.string(),
  name: text,
  status: text,
  live: z.prefault(z.object({ onDemand: flag }), {}),
  viewers: z.optional(z.number()),
  nodeId: text,
  since: optionalInstant,
  reason: text,
  pinnedNodeId: text,
  nextNodeId: text,
})
export type PlacedStream = z.output<typeof PlacedStream>
export const PlacedStreams = items(PlacedStream)

export const MoveBody = z.object({ nodeId: key })
/** Empty: no longer pinned. */
export const PinBody = z.object({ nodeId: atMost(60) })
