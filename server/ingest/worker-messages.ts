import * as z from 'zod/mini'
import { Command, HostEvent } from './protocol.ts'

const names = z.readonly(z.array(z.string()))

/** How ffmpeg is isolated, as the server has found it to be possible. */
const Sandbox = z.object({
  isolation: z.optional(
    z.object({ alone: names, join: names, kinds: z.readonly(z.array(z.enum(['net', 'user']))), loopbackUp: names }),
  ),
  before: names,
  user: z.optional(z.object({ uid: z.number(), gid: z.number() })),
})

export const ToWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), sandbox: Sandbox }),
  z.object({ kind: z.literal('command'), command: Command }),
  z.object({ kind: z.literal('ping') }),
])
export type ToWorker = z.output<typeof ToWorker>

export const FromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: HostEvent }),
  z.object({ kind: z.literal('fault'), callback: z.string(), message: z.string() }),
  /** `bytes`: the memory that the process takes. */
  z.object({ kind: z.literal('pong'), bytes: z.number() }),
])
export type FromWorker = z.output<typeof FromWorker>
