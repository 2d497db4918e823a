import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Figure } from './figures.ts'
import { inspected } from './inspected.ts'
import { familyOf, usedBy } from './processes.ts'
import { sessionOf, startServer, type Call, type Server } from './server.ts'
import { watchEventLoop } from './site/event-loop.ts'
import { startCameras, type Cameras } from './site/rtsp-cameras.ts'

export const siteCamera = {
  codec: 'h264',
  size: '1280x720',
  fps: 25,
  keyframeEvery: 50,
  bitsPerSecond: 2_000_000,
  seconds: 20,
} as const
/** What is asked for, and where the ramp ends. */
const goalCameras = 64
const maxCameras = 160
const stepCameras = 16
const maxLoopMs = 20
const settlingMs = 15_000
const startingMs = 120_000
const gapMs = 500

const Created = z.object({ uid: z.string() })
const Gauges = z.object({ streams: z.object({ running: z.number() }) })

export type Site = {
  server: Server
  cameras: Cameras
  ask: Call
}

/** Adds cameras until there are so many; `depthHours`: how long their archive is kept. */
export const addCameras = async (
  { ask, cameras }: Pick<Site, 'ask' | 'cameras'>,
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

/** Milliseconds until that many cameras run; NaN where they never do. */
export const allRun = async (site: Pick<Site, 'ask'>, count: number): Promise<number> => {
  const from = performance.now()
  while ((await runningOf(site)) < count) {
    if (performance.now() - from > startingMs) return Number.NaN
    await after(500)
  }
  return performance.now() - from
}

/** Seconds that aren't recorded between two moments, of all cameras together. */
export const lostBetween = async (
  { ask }: Pick<Site, 'ask'>,
  uids: readonly string[],
  from: number,
  until: number,
): Promise<number> => {
  let lost = 0
  const period = `start_time=${new Date(from).toISOString()}&end_time=${new Date(until).toISOString()}`
  for (const uid of uids) {
    const reply = await ask('GET', `/v1/stream/${uid}/archive/recorded.m3u8?${period}`).catch(() => undefined)
    const text = (await reply?.text()) ?? ''
    const lengths = [...text.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds) * 1000)
    const starts = [...text.matchAll(/DATE-TIME:(\S+)/g)].map(([, date = '']) => Date.parse(date))
    let end = from
    for (const [index, start] of [...starts, until].entries()) {
      if (start - end > gapMs) lost += (start - end) / 1000
      end = start + (lengths[index] ?? 0)
    }
  }
  return lost
}

type Step = {
  count: number
  startedMs: number
  lost: number
  loopMs: number
  server: number
  others: number
  megabytes: number
}

const said = ({ count, startedMs, lost, loopMs, server, others, megabytes }: Step): string =>
  `${count} cameras: all ran after ${(startedMs / 1000).toFixed(1)} s, ${lost.toFixed(1)} s lost, loop p99 ${loopMs.toFixed(1)} ms, ` +
  `server ${server.toFixed(1)} % and its other processes ${others.toFixed(1)} % of a core, ${megabytes.toFixed(0)} MB\n`

/**
 * `site`: how many cameras the embedded server records by copy. Sixteen more every `minutes`, from one RTSP server with
 * a mount for each, until a second is lost, a camera doesn't start or the event loop is held too long; of these counts
 * only those that `wanted` matches.
 */
export async function site(minutes: number, wanted: RegExp): Promise<Figure[]> {
  const node = await inspected()
  const cameras = await startCameras(siteCamera)
  const server = await startServer(true, {
    hasDemo: false,
    env: { ...node.env, ALLOW_LOOPBACK_SOURCES: '1', SETTING_LIMITS_STREAM_MBITS_MAX: '-1' },
  })
  const steps: Step[] = []
  try {
    const site: Site = { server, cameras, ask: await sessionOf(server) }
    const inspector = await node.open()
    const loop = await watchEventLoop(inspector)
    const uids: string[] = []
    const usage = () => {
      const [own = 0, ...children] = server.pid === null ? [] : familyOf(server.pid)
      const [node, others] = [usedBy([own]), usedBy(children)]
      return {
        server: node.processorSeconds,
        others: others.processorSeconds,
        bytes: node.residentBytes + others.residentBytes,
      }
    }
    for (let count = stepCameras; count <= maxCameras; count += stepCameras) {
      if (!wanted.test(String(count))) continue
      await addCameras(site, uids, count)
      const startedMs = await allRun(site, count)
      await after(settlingMs)
      await loop.read()
      const [from, before] = [Date.now(), usage()]
      await after(minutes * 60_000)
      const [until, now, { p99: loopMs }] = [Date.now(), usage(), await loop.read()]
      const share = (seconds: number): number => (seconds * 100_000) / (until - from)
      const step = {
        count,
        startedMs,
        loopMs,
        lost: await lostBetween(site, uids, from, until - 5000),
        server: share(now.server - before.server),
        others: share(now.others - before.others),
        megabytes: now.bytes / 1e6,
      }
      steps.push(step)
      process.stdout.write(said(step))
      if (step.lost > 0 || !(step.loopMs <= maxLoopMs) || Number.isNaN(startedMs)) break
    }
    inspector.close()
  } finally {
    await server.stop()
    cameras.stop()
  }
  const good = steps.filter(
    ({ lost, loopMs, startedMs }) => lost === 0 && loopMs <= maxLoopMs && !Number.isNaN(startedMs),
  )
  const atGoal = steps.find(({ count }) => count === goalCameras)
  const figure = (name: string, value: number | undefined, unit: string, worst?: number): Figure => ({
    name,
    values: [value ?? Number.NaN],
    unit,
    goal: worst === undefined ? {} : { worst, lost: 0 },
  })
  return [
    figure('cameras recorded without loss, the loop under 20 ms', good.at(-1)?.count, 'cameras'),
    figure(`lost of ${goalCameras} cameras`, atGoal?.lost, 's', 0),
    figure(`event loop with ${goalCameras} cameras, p99`, atGoal?.loopMs, 'ms', maxLoopMs),
    figure(`server with ${goalCameras} cameras`, atGoal?.server, '% of a core'),
    figure(`its other processes with ${goalCameras} cameras`, atGoal?.others, '% of a core'),
  ]
}
