import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { openCallSession, startServer } from './server.ts'
import { addCameras, lostBetween, siteCamera, siteEnvironment, untilAllRun } from './site/recording.ts'
import { startCameras } from './site/rtsp-cameras.ts'

const cameraCount = 8
const kills = 3
/** A camera that sent as much before is stable. */
const apartMs = 15_000
/** Until the newest segments are in the playlists. */
const lookMs = 6000

/**
 * `server-killed`: the seconds that each camera loses when the server is killed and starts again at once, as systemd
 * does it after `RestartSec`.
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
    const lost: number[] = []
    const starts: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      await untilAllRun({ ask: await openCallSession(server) }, cameraCount)
      await after(apartMs)
      const killedAt = Date.now()
      if (server.pid !== null) process.kill(server.pid, 'SIGKILL')
      server = await start()
      starts.push((Date.now() - killedAt) / 1000)
      const site = { ask: await openCallSession(server), cameras }
      await untilAllRun(site, cameraCount)
      await after(lookMs)
      const until = Date.now() - lookMs / 2
      for (const uid of uids) lost.push(await lostBetween(site, [uid], killedAt - 10_000, until))
    }
    return [
      { name: 'until it answers again', values: starts, unit: 's', goal: {} },
      { name: `lost of each of ${cameraCount} cameras`, values: lost, unit: 's', goal: {} },
    ]
  } finally {
    await server.stop()
    cameras.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
