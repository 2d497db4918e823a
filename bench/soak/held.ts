import type { CDPSession, Page } from 'playwright'
import { videosHeld } from '../leaks.ts'
import { openFiles, processTree, usedBy } from '../processes.ts'
import type { Inspected } from '../inspected.ts'
import { usedHeap } from './server-heap.ts'

/** What one page holds in memory after a garbage collection. */
export interface HeldByPage {
  readonly heapBytes: number
  readonly media: number
  readonly nodes: number
  readonly listeners: number
}

export interface HeldByServer {
  readonly heapBytes: number
  readonly residentBytes: number
  readonly sockets: number
  readonly files: number
  readonly children: number
}

export interface Held {
  readonly mosaic: HeldByPage
  readonly player: HeldByPage
  readonly server: HeldByServer
}

/** Measures a page repeatedly; the debugger's own copies of answers aren't in the measured heap. */
export async function pageProbe(page: Page): Promise<() => Promise<HeldByPage>> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  return async () => {
    // Objects that finalizers release in one collection are collected in the next.
    for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    const { metrics } = await cdp.send('Performance.getMetrics')
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
    return {
      heapBytes: usedSize,
      media: await videosHeld(cdp),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
    }
  }
}

export async function heldByServer(pid: number, server: Inspected): Promise<HeldByServer> {
  const heapBytes = await usedHeap(server)
  const { residentBytes, sockets } = usedBy([pid])
  return { heapBytes, residentBytes, sockets, files: openFiles(pid), children: processTree(pid).length - 1 }
}
