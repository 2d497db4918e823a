import type { Locator, Page } from 'playwright'
import * as z from 'zod/mini'
import type { Figure } from './figures.ts'
import { openLive, withPage } from './harness.ts'
import type { Call } from './server.ts'
import { withRecordedCameras } from './site/recorded-cameras.ts'
import { lossWays, type Cameras, type Picture } from './site/rtsp-cameras.ts'

const cameraCount = 4
const losses = 2
/** Well before this, a live picture has reached its delay. */
const settlingMs = 4000
const patienceMs = 60_000
const goal = { worst: 3, lost: 0 }

const picture: Picture = {
  codec: 'h264',
  size: '640x360',
  fps: 15,
  keyframeEvery: 15,
  bitsPerSecond: 500_000,
  seconds: 20,
}
/** A picture every two seconds, and a keyframe every four. */
const slowPicture: Picture = { ...picture, fps: 0.5, keyframeEvery: 2, bitsPerSecond: 100_000, seconds: 40 }

const Created = z.object({ id: z.string() })

/** Seconds from the last frame on the screen until it is dimmed and the reason is beside it; NaN if that takes long. */
const timeOfLoss = (screen: Locator): Promise<number> =>
  screen.evaluate(
    (root, patience) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        let shownAt = began
        const follow = (video: HTMLVideoElement) =>
          video.requestVideoFrameCallback((now) => {
            shownAt = now
            follow(video)
          })
        const video = root.querySelector('video')
        if (video === null) return resolve(Number.NaN)
        follow(video)
        const isDimmed = () => Number(/brightness\(([\d.]+)\)/.exec(getComputedStyle(video).filter)?.[1] ?? 1) < 0.4
        const look = (now: number) => {
          if (isDimmed() && /No live picture(?! *Trying again)./.test(root.textContent)) resolve((now - shownAt) / 1000)
          else if (now - began > patience) resolve(Number.NaN)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    patienceMs,
  )

/** Resolves once the picture has played and been bright for a while. */
const untilLive = (screen: Locator): Promise<void> =>
  screen.evaluate(async (root, settling) => {
    for (let brightMs = 0, before = -1; brightMs < settling; brightMs += 250) {
      await new Promise((resolve) => {
        setTimeout(resolve, 250)
      })
      const video = root.querySelector('video')
      if (video === null || video.currentTime === before || getComputedStyle(video).filter !== 'none') brightMs = 0
      before = video?.currentTime ?? -1
    }
  }, settlingMs)

/** Loses cameras in turn, each way, on a screen. */
const lossesOn = async (
  name: string,
  cameras: Cameras,
  screenOf: (camera: number) => { camera: number; screen: Locator },
): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const way of lossWays) {
    const values: number[] = []
    for (let loss = 0; loss < losses; loss += 1) {
      const { camera, screen } = screenOf(loss % cameraCount)
      await untilLive(screen)
      const lost = timeOfLoss(screen)
      cameras.lose(camera, way)
      values.push(await lost)
      cameras.comeBack(camera)
    }
    figures.push({ name: `Last frame → dimmed with its reason, ${name}, camera ${way}`, unit: 's', values, goal })
  }
  return figures
}

/** How often the pictures of the page were called lost in a minute, although no camera was. */
const falseLosses = async (page: Page): Promise<number> => {
  const seen = await page.evaluateHandle(() => {
    const found = { count: 0 }
    let isLost = false
    const look = () => {
      const isNow = document.body.textContent.includes('No live picture')
      if (isNow && !isLost) found.count += 1
      isLost = isNow
      requestAnimationFrame(look)
    }
    look()
    return found
  })
  await page.waitForTimeout(60_000)
  return seen.evaluate(({ count }) => count)
}

const tileOf = (page: Page, camera: number): Locator =>
  page.getByRole('article', { name: new RegExp(`^Camera ${camera + 1}:`) })

/** Opens a mosaic of all cameras. */
const openMosaic = async (page: Page, ask: Call, uids: readonly string[]) => {
  const cells = uids.map((streamUid, index) => ({ streamUid, x: index % 2, y: Math.floor(index / 2), w: 1, h: 1 }))
  const made = await ask('POST', '/v1/mosaic', { name: 'Wall', columns: 2, rows: 2, cells })
  await page.goto(`/ui/mosaic/${z.parse(Created, await made.json()).id}`)
}

/** `measure` gets the cameras, the page, and the calls of a server that records them. */
const withCameras = (
  isBuilt: boolean,
  shown: Picture,
  measure: (site: { cameras: Cameras; page: Page; uids: readonly string[]; ask: Call }) => Promise<Figure[]>,
): Promise<Figure[]> =>
  withRecordedCameras(isBuilt, { picture: shown, count: cameraCount }, ({ server, ...site }) =>
    withPage(server, (page) => measure({ ...site, page })),
  )

/**
 * `dead-tile`: from the last frame of a camera that is killed, or says nothing more, until its picture is dimmed and
 * says why, in the player and in a mosaic; and whether cameras of a picture every two seconds count as dead.
 */
export async function deadTile(isBuilt: boolean): Promise<Figure[]> {
  const figures = await withCameras(isBuilt, picture, async ({ cameras, page, uids, ask }) => {
    await openLive({ page, stream: 'Camera 1' })
    const player = page.getByRole('region', { name: 'Player' })
    const inPlayer = await lossesOn('player', cameras, () => ({ camera: 0, screen: player }))
    await openMosaic(page, ask, uids)
    const inMosaic = await lossesOn('mosaic', cameras, (camera) => ({ camera, screen: tileOf(page, camera) }))
    return [...inPlayer, ...inMosaic]
  })
  const ofSlow = await withCameras(true, slowPicture, async ({ page, uids, ask }) => {
    await openMosaic(page, ask, uids)
    for (const [camera] of uids.entries()) await untilLive(tileOf(page, camera))
    const name = 'Mosaic of cameras with a picture every 2 s: called lost in a minute'
    return [{ name, unit: '', values: [await falseLosses(page)], goal: { worst: 0 } }]
  })
  return [...figures, ...ofSlow]
}
