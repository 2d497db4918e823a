import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { openCallSession, startServer, type Server } from './server.ts'
import { addCameras, lostBetween, siteCamera, siteEnvironment, untilAllRun } from './site/recording.ts'
import { startCameras } from './site/rtsp-cameras.ts'

const cameraCount = 8
const rounds = 3
/** A camera that sent as much before is stable. */
const apartMs = 15_000
/** Until the newest segments are in the playlists. */
const lookMs = 6000

/** What a camera may lose. */
const goal = { worst: 2 }

const kill = async ({ pid }: Server): Promise<void> => {
  if (pid !== null) process.kill(pid, 'SIGKILL')
}
const stop = (server: Server): Promise<void> => server.stop()

/**
 * `server-killed`: the seconds that each camera loses when the server is killed and starts again at once, as systemd
 * does it after `RestartSec`, and when it is restarted: stopped by SIGTERM, and started once it has ended.
 */
export async function serverKilled(): Promise<Figure[]> {
  const cameras = await startCameras(siteCamera)
  const folder = mkdtempSync(join(tmpdir(), 'sightline-killed-'))
  const dataDir = join(folder, 'data')
  const env = { ...siteEnvironment, NODE_COMPILE_CACHE: join(folder, 'cache') }
  const start = () => startServer(true, { hasDemo: false, dataDir, env })
  let server = await start()
  try {
    const uids: string[] = []
    await addCameras({ ask: await openCallSession(server), cameras }, uids, cameraCount)
    const lostBy = async (name: string, end: (server: Server) => Promise<void>): Promise<Figure[]> => {
      const lost: number[] = []
      const starts: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        await untilAllRun({ ask: await openCallSession(server) }, cameraCount)
        await after(apartMs)
        const endedAt = Date.now()
        await end(server)
        server = await start()
        starts.push((Date.now() - endedAt) / 1000)
        const site = { ask: await openCallSession(server), cameras }
        await untilAllRun(site, cameraCount)
        await after(lookMs)
        const until = Date.now() - lookMs / 2
        for (const uid of uids) lost.push(await lostBetween(site, [uid], endedAt - 10_000, until))
      }
      return [
        { name: `${name}: until it answers again`, values: starts, unit: 's', goal: {} },
        { name: `${name}: lost of each of ${cameraCount} cameras`, values: lost, unit: 's', goal },
      ]
    }
    return [...(await lostBy('killed', kill)), ...(await lostBy('restarted', stop))]
  } finally {
    await server.stop()
    cameras.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
