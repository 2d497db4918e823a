import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { processTree } from './processes.ts'
import { openCallSession, startServer } from './server.ts'
import { addCameras, untilAllRun, lostBetween, siteCamera, siteEnvironment } from './site/recording.ts'
import { type Cameras, startCameras } from './site/rtsp-cameras.ts'

/** As many cameras as one worker records. */
const cameraCount = 24
const kills = 3
/** Until every camera has recorded whole minutes. */
const settleMs = 70_000
const lookMs = 20_000
const mostLost = 2

const isWorker = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('ingest/worker.ts')
  } catch {
    return false
  }
}

/** The worker that records the most cameras: the one with the most child processes. */
const busiestOf = (server: number): number | undefined =>
  processTree(server)
    .filter(isWorker)
    .map((pid) => ({ pid, size: processTree(pid).length }))
    .toSorted((one, other) => other.size - one.size)[0]?.pid

/** The seconds that each camera loses when its recording process is killed for the first time. */
async function lostByKill(cameras: Cameras): Promise<number[]> {
  const server = await startServer(true, { hasDemo: false, env: siteEnvironment })
  try {
    const site = { ask: await openCallSession(server), cameras }
    const uids: string[] = []
    await addCameras(site, uids, cameraCount)
    await untilAllRun(site, cameraCount)
    await after(settleMs)
    const worker = server.pid === null ? undefined : busiestOf(server.pid)
    if (worker === undefined) throw new Error('no worker was found')
    const killedAt = Date.now()
    process.kill(worker, 'SIGKILL')
    await after(lookMs)
    const values: number[] = []
    for (const uid of uids) values.push(await lostBetween(site, [uid], killedAt - 10_000, killedAt + lookMs / 2))
    return values
  } finally {
    await server.stop()
  }
}

/** `worker-killed`: by a new server each time, as cameras whose process has died before wait before they go on. */
export async function workerKilled(): Promise<Figure[]> {
  const cameras = await startCameras(siteCamera)
  try {
    const values: number[] = []
    for (let kill = 0; kill < kills; kill += 1) values.push(...(await lostByKill(cameras)))
    return [
      { name: `lost of each of ${cameraCount} cameras`, values, unit: 's', goal: { worst: mostLost, lost: 0 } },
      {
        name: 'cameras that lost something, a kill',
        values: [values.filter((lost) => lost > 0).length / kills],
        unit: 'cameras',
        goal: {},
      },
    ]
  } finally {
    cameras.stop()
  }
}
