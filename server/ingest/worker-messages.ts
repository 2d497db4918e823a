import * as z from 'zod/mini'
import { Command, HostEvent } from './protocol.ts'

const names = z.readonly(z.array(z.string()))

/** The `Sandbox` of server/media/sandbox.ts, as the server found it possible; lists of words are commands. */
const Sandbox = z.object({
  isolation: z.optional(
    z.object({ alone: names, join: names, kinds: z.readonly(z.array(z.enum(['net', 'user']))), loopbackUp: names }),
  ),
  before: names,
  user: z.optional(z.object({ uid: z.number(), gid: z.number() })),
  group: z.optional(z.string()),
})

export const ToWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), sandbox: Sandbox }),
  z.object({ kind: z.literal('command'), command: Command }),
  z.object({ kind: z.literal('ping') }),
  /** How far the clock of this machine is ahead of the cluster's. */
  z.object({ kind: z.literal('clock'), aheadMs: z.number() }),
])
export type ToWorker = z.output<typeof ToWorker>

export const FromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: HostEvent }),
  z.object({ kind: z.literal('fault'), callback: z.string(), message: z.string() }),
  /** `bytes`: the memory that the process takes. */
  z.object({ kind: z.literal('pong'), bytes: z.number() }),
])
export type FromWorker = z.output<typeof FromWorker>
