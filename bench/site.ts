import { setTimeout as after } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { inspectedNode } from './inspected.ts'
import { processTree, usedBy } from './processes.ts'
import { openCallSession, startServer } from './server.ts'
import { watchEventLoop } from './site/event-loop.ts'
import { addCameras, untilAllRun, lostBetween, siteCamera, siteEnvironment } from './site/recording.ts'
import { startCameras } from './site/rtsp-cameras.ts'

/** The goals, and the end of the ramp. */
const goalCameras = 64
const maxCameras = 320
const stepCameras = 16
const maxLoopMs = 20
const settlingMs = 15_000

type Step = {
  count: number
  startedMs: number
  lost: number
  loopMs: number
  server: number
  others: number
  megabytes: number
}

const isGood = ({ lost, loopMs, startedMs }: Step): boolean =>
  lost === 0 && loopMs <= maxLoopMs && !Number.isNaN(startedMs)

const lineOf = ({ count, startedMs, lost, loopMs, server, others, megabytes }: Step): string =>
  `${count} cameras: all ran after ${(startedMs / 1000).toFixed(1)} s, ${lost.toFixed(1)} s lost, loop p99 ${loopMs.toFixed(1)} ms, ` +
  `server ${server.toFixed(1)} % and its other processes ${others.toFixed(1)} % of a core, ${megabytes.toFixed(0)} MB\n`

/**
 * `site`: how many cameras the embedded server records by copy. Adds sixteen every `minutes`, from one RTSP server with
 * a mount for each, until a second is lost, a camera doesn't start or the event loop is blocked too long; only the
 * counts that `wanted` matches.
 */
export async function site(minutes: number, wanted: RegExp): Promise<Figure[]> {
  const node = await inspectedNode()
  const cameras = await startCameras(siteCamera)
  const server = await startServer(true, {
    hasDemo: false,
    env: { ...node.env, ...siteEnvironment },
  })
  const steps: Step[] = []
  try {
    const site = { cameras, ask: await openCallSession(server) }
    const inspector = await node.open()
    const loop = await watchEventLoop(inspector)
    const uids: string[] = []
    const usage = () => {
      const [own = 0, ...children] = server.pid === null ? [] : processTree(server.pid)
      const [main, others] = [usedBy([own]), usedBy(children)]
      return {
        server: main.processorSeconds,
        others: others.processorSeconds,
        bytes: main.residentBytes + others.residentBytes,
      }
    }
    for (let count = stepCameras; count <= maxCameras; count += stepCameras) {
      if (!wanted.test(String(count))) continue
      await addCameras(site, uids, count)
      const startedMs = await untilAllRun(site, count)
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
      process.stdout.write(lineOf(step))
      if (!isGood(step)) break
    }
    inspector.close()
  } finally {
    await server.stop()
    cameras.stop()
  }
  const last = steps.at(-1)
  const isAtLimit = last !== undefined && (!isGood(last) || last.count === maxCameras)
  const atGoal = steps.find(({ count }) => count === goalCameras)
  const figure = (name: string, value: number | undefined, unit: string, worst?: number): Figure => ({
    name,
    values: [value ?? Number.NaN],
    unit,
    goal: worst === undefined ? {} : { worst, lost: 0 },
  })
  const ofGoal = [
    figure(`lost of ${goalCameras} cameras`, atGoal?.lost, 's', 0),
    figure(`event loop with ${goalCameras} cameras, p99`, atGoal?.loopMs, 'ms', maxLoopMs),
    figure(`server with ${goalCameras} cameras`, atGoal?.server, '% of a core'),
    figure(`its other processes with ${goalCameras} cameras`, atGoal?.others, '% of a core'),
  ]
  return [
    ...(isAtLimit
      ? [figure('cameras recorded without loss, the loop under 20 ms', steps.findLast(isGood)?.count, 'cameras')]
      : []),
    ...(wanted.test(String(goalCameras)) ? ofGoal : []),
  ]
}
