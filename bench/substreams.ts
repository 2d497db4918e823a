import { setTimeout as after } from 'node:timers/promises'
import type { Page, Request } from 'playwright'
import type { Bench } from './harness.ts'
import type { RecordedRange } from './server.ts'

interface DemoCamera {
  uid: string
  name: string
  streamSource: string
  live: { onDemand: boolean }
}

/** Until a substream that was added records. */
const startingMs = 15_000
/** Until the newest segments are in the playlists. */
const indexedMs = 10_000

/**
 * Records demo cameras with a substream of the same picture for `recordedMs`. Then measures while they are paused, as
 * drawing six pictures costs more than recording them. Afterwards the cameras are as before.
 */
export async function withSubstreams<T>(
  { page, ask, address }: Pick<Bench, 'page' | 'ask' | 'address'>,
  names: readonly string[],
  recordedMs: number,
  measure: (recorded: RecordedRange) => Promise<T>,
): Promise<T> {
  const { items } = await ask<{ items: DemoCamera[] }>('/v1/streams?page=1')
  const cameras = items.filter(({ name }) => names.includes(name))
  const call = async (method: string, path: string, data?: object) => {
    const headers = { origin: address }
    const reply = await page.request.fetch(address + path, { method, headers, ...(data === undefined ? {} : { data }) })
    if (!reply.ok()) throw new Error(`${method} ${path} answered ${reply.status()}`)
    return reply
  }
  const change = ({ uid, name, streamSource }: DemoCamera, substreamSource: string, onDemand: boolean) =>
    call('PUT', `/v1/stream/${uid}`, { name, streamSource, substreamSource, live: { onDemand } })
  const requireSub = async ({ uid, name }: DemoCamera, { from, to }: RecordedRange) => {
    const period = `start_time=${new Date(from).toISOString()}&end_time=${new Date(to).toISOString()}`
    const playlist = await (await call('GET', `/v1/stream/${uid}/archive/sub/recorded.m3u8?${period}`)).text()
    // The main recording fills in where the substream lacks something.
    if (playlist.includes('../')) throw new Error(`the substream of ${name} has a gap`)
  }
  try {
    for (const camera of cameras) await change(camera, camera.streamSource, false)
    await after(startingMs)
    const from = Date.now()
    const recorded = { from, to: from + recordedMs }
    await after(recordedMs + indexedMs)
    for (const camera of cameras) {
      await requireSub(camera, recorded)
      await call('POST', `/v1/stream/pause/${camera.uid}`)
    }
    return await measure(recorded)
  } finally {
    for (const camera of cameras) {
      await change(camera, '', camera.live.onDemand)
      await call('POST', `/v1/stream/resume/${camera.uid}`)
    }
  }
}

/** Counts the segments of each rendition that the page requests until `stop`. */
export function countSegments(page: Page): { stop: () => { main: number; sub: number } } {
  const counts = { main: 0, sub: 0 }
  const count = (request: Request) => {
    const found = /\/archive\/(sub\/)?recorded\/\d+\.m4s/.exec(request.url())
    if (found !== null) counts[found[1] === undefined ? 'main' : 'sub'] += 1
  }
  page.on('request', count)
  return {
    stop: () => {
      page.off('request', count)
      return counts
    },
  }
}
