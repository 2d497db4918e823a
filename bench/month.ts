import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { streamFolder } from '../server/storage/folders.ts'
import { minuteMs } from '../server/durations.ts'
import type { Figure } from './figures.ts'
import { inspectedNode } from './inspected.ts'
import { lockHours, measureCalls } from './month-calls.ts'
import { openCallSession, startServer } from './server.ts'
import { watchEventLoop } from './site/event-loop.ts'
import { cameraCount, withMonth, type MonthArchive } from './site/month-archive.ts'
import { untilAllRun, siteEnvironment } from './site/recording.ts'

/** Long enough for three sweeps of retention. */
const watchedMs = 3.5 * minuteMs
const purgeMs = 10 * minuteMs
const goal = { startMs: 15_000, loopMs: 50 }

const figure = (name: string, value: number, unit: string, worst?: number): Figure => ({
  name,
  values: [value],
  unit,
  goal: worst === undefined ? {} : { worst, lost: 0 },
})

/** Starts a server with that archive and measures it. */
const measure = async (dataDir: string, { uids, archived, indexBytes }: MonthArchive): Promise<Figure[]> => {
  const node = await inspectedNode()
  const began = performance.now()
  const server = await startServer(true, { hasDemo: false, dataDir, env: { ...siteEnvironment, ...node.env } })
  try {
    const answersMs = performance.now() - began
    const ask = await openCallSession(server)
    await untilAllRun({ ask }, cameraCount)
    const startedMs = performance.now() - began

    const inspector = await node.open()
    const loop = await watchEventLoop(inspector)
    await after(watchedMs)
    const sweeping = await loop.read()
    const [removed = '', ...kept] = uids
    await lockHours(ask, kept, archived)
    const calls = await measureCalls(ask, uids, archived)
    await loop.read()
    const asked = performance.now()
    await ask('DELETE', `/v1/stream/${removed}?purge=true`)
    while (existsSync(streamFolder(dataDir, removed)) && performance.now() - asked < purgeMs) await after(500)
    const removedMs = performance.now() - asked
    const purging = await loop.read()
    inspector.close()
    return [
      figure('index', indexBytes / 1e6, 'MB', 1000),
      figure('start → the server answers', answersMs / 1000, 's'),
      figure('start → the last camera runs', startedMs / 1000, 's', goal.startMs / 1000),
      figure('event loop while it sweeps and repairs, p99', sweeping.p99, 'ms', 20),
      figure('event loop while it sweeps and repairs, longest', sweeping.worst, 'ms', goal.loopMs),
      ...calls,
      figure('the archive of a camera removed', removedMs / 1000, 's'),
      figure('event loop while its archive is removed, longest', purging.worst, 'ms', goal.loopMs),
    ]
  } finally {
    await server.stop()
  }
}

/**
 * `month`: a server with 64 cameras and thirty days of archive, whose chunks are links to a recorded minute: its start,
 * its calls, and how long sweeps and the deletion of a camera block the event loop.
 */
export async function month(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    return await withMonth(dataDir, (archive) => measure(dataDir, archive))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
