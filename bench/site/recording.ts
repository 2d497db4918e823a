import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Call } from '../server.ts'
import type { Cameras, Picture } from './rtsp-cameras.ts'

export const siteCamera: Picture = {
  codec: 'h264',
  size: '1280x720',
  fps: 25,
  keyframeEvery: 50,
  bitsPerSecond: 2_000_000,
  seconds: 20,
}
/** A server that may record cameras on this machine, at any bit rate. */
export const siteEnvironment = { ALLOW_LOOPBACK_SOURCES: '1', SETTING_LIMITS_STREAM_MBITS_MAX: '-1' }

const startingMs = 120_000
const gapMs = 500

const Created = z.object({ uid: z.string() })
const Gauges = z.object({ streams: z.object({ running: z.number() }) })

/** Cameras, and the calls of the server that records them. */
export type Site = { cameras: Cameras; ask: Call }

/** Adds cameras up to `count`; `depthHours`: how long their archive is kept. */
export const addCameras = async (
  { ask, cameras }: Site,
  uids: string[],
  count: number,
  depthHours = -1,
): Promise<void> => {
  while (uids.length < count) {
    const reply = await ask('POST', '/v1/stream', {
      name: `Camera ${uids.length + 1}`,
      streamSource: cameras.addressOf(uids.length),
      archive: { isEnable: true, depthHours },
    })
    uids.push(z.parse(Created, await reply.json()).uid)
  }
}

const runningOf = async ({ ask }: Pick<Site, 'ask'>): Promise<number> =>
  z.parse(Gauges, await (await ask('GET', '/v1/system/stats')).json()).streams.running

/** Milliseconds until that many cameras run; NaN if they don't in time. */
export const untilAllRun = async (site: Pick<Site, 'ask'>, count: number): Promise<number> => {
  const from = performance.now()
  while ((await runningOf(site)) < count) {
    if (performance.now() - from > startingMs) return Number.NaN
    await after(500)
  }
  return performance.now() - from
}

/** A range that isn't recorded, in epoch milliseconds. */
export type Gap = { from: number; to: number }

/** The gaps of a camera's archive between two moments. */
export const gapsBetween = async (
  { ask }: Pick<Site, 'ask'>,
  uid: string,
  from: number,
  until: number,
): Promise<Gap[]> => {
  const period = `start_time=${new Date(from).toISOString()}&end_time=${new Date(until).toISOString()}`
  const reply = await ask('GET', `/v1/stream/${uid}/archive/recorded.m3u8?${period}`).catch(() => undefined)
  const text = (await reply?.text()) ?? ''
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds) * 1000)
  const starts = [...text.matchAll(/DATE-TIME:(\S+)/g)].map(([, date = '']) => Date.parse(date))
  const gaps: Gap[] = []
  let end = from
  for (const [index, start] of [...starts, until].entries()) {
    if (start - end > gapMs) gaps.push({ from: end, to: start })
    end = start + (lengths[index] ?? 0)
  }
  return gaps
}

/** The seconds between two moments that aren't recorded, summed over all cameras. */
export const lostBetween = async (
  site: Pick<Site, 'ask'>,
  uids: readonly string[],
  from: number,
  until: number,
): Promise<number> => {
  let lost = 0
  for (const uid of uids) {
    for (const gap of await gapsBetween(site, uid, from, until)) lost += (gap.to - gap.from) / 1000
  }
  return lost
}
