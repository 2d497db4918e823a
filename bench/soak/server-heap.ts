import * as z from 'zod/mini'
import type { Inspected } from '../inspected.ts'

const Usage = z.object({ usedSize: z.number() })

/** Bytes of the server's own objects, after a garbage collection. */
export async function usedHeap({ call }: Inspected): Promise<number> {
  for (let round = 0; round < 2; round += 1) await call('HeapProfiler.collectGarbage')
  return z.safeParse(Usage, await call('Runtime.getHeapUsage')).data?.usedSize ?? Number.NaN
}
