import * as z from 'zod/mini'
import type { Inspected } from '../inspected.ts'

const Value = z.object({ result: z.object({ value: z.number() }) })

/** How long at a time the server's event loop was held since the last reading, p99 in milliseconds. */
export type EventLoop = { read: () => Promise<number> }

const resolutionMs = 2

export const watchEventLoop = async ({ call }: Inspected): Promise<EventLoop> => {
  const evaluate = (expression: string) => call('Runtime.evaluate', { expression, returnByValue: true })
  await evaluate(`globalThis.loopDelay = process.getBuiltinModule('node:perf_hooks')
    .monitorEventLoopDelay({ resolution: ${resolutionMs} }); loopDelay.enable()`)
  return {
    read: async () => {
      const { data } = z.safeParse(Value, await evaluate('loopDelay.percentile(99)'))
      await evaluate('loopDelay.reset()')
      return data === undefined ? Number.NaN : data.result.value / 1e6 - resolutionMs
    },
  }
}
