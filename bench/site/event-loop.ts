import * as z from 'zod/mini'
import type { Inspected } from '../inspected.ts'

const Value = z.object({ result: z.object({ value: z.string() }) })
const Held = z.object({ p99: z.number(), worst: z.number() })

/** How long the server's event loop was blocked at a time since the last reading, in milliseconds. */
export type EventLoop = { read: () => Promise<{ p99: number; worst: number }> }

const resolutionMs = 2

export const watchEventLoop = async ({ call }: Inspected): Promise<EventLoop> => {
  const evaluate = (expression: string) => call('Runtime.evaluate', { expression, returnByValue: true })
  await evaluate(`globalThis.loopDelay = process.getBuiltinModule('node:perf_hooks')
    .monitorEventLoopDelay({ resolution: ${resolutionMs} }); loopDelay.enable()`)
  return {
    read: async () => {
      const { result } = z.parse(
        Value,
        await evaluate('JSON.stringify({ p99: loopDelay.percentile(99), worst: loopDelay.max })'),
      )
      await evaluate('loopDelay.reset()')
      const { p99, worst } = z.parse(Held, JSON.parse(result.value))
      return { p99: p99 / 1e6 - resolutionMs, worst: worst / 1e6 - resolutionMs }
    },
  }
}
