import { setTimeout as after } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { withRecordedCameras } from './site/recorded-cameras.ts'
import { gapsBetween, siteCamera } from './site/recording.ts'
import { lossWays } from './site/rtsp-cameras.ts'

const cameraCount = 8
const goneMs = 2000
/** A camera that sent as much before is stable. */
const apartMs = 15_000
/** Until the newest segments are in the playlists. */
const lookMs = 12_000
const goalSeconds = 3

/**
 * `camera-restarted`: how long after its return a camera that was gone for 2 s is recorded again, and how many seconds
 * its archive lacks. Cameras are lost one after the other, each way.
 */
export const cameraRestarted = (isBuilt: boolean): Promise<Figure[]> =>
  withRecordedCameras(isBuilt, { picture: siteCamera, count: cameraCount }, async ({ cameras, ask, uids }) => {
    const figures: Figure[] = []
    for (const way of lossWays) {
      await after(apartMs)
      const losses: { uid: string; lostAt: number; backAt: number }[] = []
      for (const [camera, uid] of uids.entries()) {
        const lostAt = Date.now()
        cameras.lose(camera, way)
        await after(goneMs)
        cameras.comeBack(camera)
        losses.push({ uid, lostAt, backAt: Date.now() })
      }
      await after(lookMs)
      const until = Date.now() - lookMs / 2
      const again: number[] = []
      const lacking: number[] = []
      for (const { uid, lostAt, backAt } of losses) {
        const gaps = await gapsBetween({ ask }, uid, lostAt - apartMs / 2, until)
        const isBack = gaps.every(({ to }) => to < until)
        again.push(isBack ? Math.max(0, ...gaps.map(({ to }) => to - backAt)) / 1000 : Number.NaN)
        lacking.push(gaps.reduce((sum, { from, to }) => sum + to - from, 0) / 1000)
      }
      figures.push(
        {
          name: `camera ${way}: its return → recorded again`,
          values: again,
          unit: 's',
          goal: { worst: goalSeconds, lost: 0 },
        },
        {
          name: `camera ${way}: missing in its archive`,
          values: lacking,
          unit: 's',
          goal: { worst: goneMs / 1000 + goalSeconds },
        },
      )
    }
    return figures
  })
