import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, signIn, uidOf, waitForArchive } from './session.ts'
import { areTogether, recordTileLabels, readTiles, tilesThat, type TileReading } from './tile-strips.ts'

const frameMs = 40
/**
 * While they play, tiles are together as long as none has to seek; how near they come is a matter of the machine's
 * speed, and of `bench/mosaic.ts`.
 */
const driftMs = 500

const archiveOf = (page: Page) => page.getByRole('region', { name: 'Archive' })
const momentIn = (page: Page) => Date.parse(new URL(page.url()).searchParams.get('at') ?? '')

const cameras = ['Gate', 'Yard', 'Warehouse']

/**
 * Signs in and makes a mosaic of the demo cameras: three that record, some of them twice, and one that never did, the
 * last.
 */
async function mosaicOf(page: Page, tiles: number): Promise<string> {
  const origin = await signIn(page)
  const uids: string[] = []
  for (const name of cameras) {
    const uid = await uidOf(page, name)
    await waitForArchive(page, uid, Date.now() - hour / 2)
    uids.push(uid)
  }
  const columns = Math.ceil(Math.sqrt(tiles))
  const cells = Array.from({ length: tiles }, (_, index) => ({
    streamUid: uids[index % uids.length],
    x: index % columns,
    y: Math.floor(index / columns),
    w: 1,
    h: 1,
  }))
  Object.assign(cells[tiles - 1] ?? {}, { streamUid: await uidOf(page, 'Car park') })
  const made = await page.request.post('/v1/mosaic', {
    data: { name: 'Together', columns, rows: columns, cells },
    headers: { origin },
  })
  return (await made.json()).id
}

const openAt = (page: Page, id: string, at: number, speed = '') =>
  page.goto(`/ui/mosaic/${id}?at=${new Date(at).toISOString()}${speed}`)

/** The start of the newest gap that ends before now, and its end. */
async function newestGap(page: Page): Promise<{ from: number; to: number }> {
  const uid = await uidOf(page, 'Gate')
  for (const name of cameras) await waitForArchive(page, await uidOf(page, name), Date.now() - 2 * hour)
  const query = new URLSearchParams({
    start_time: new Date(Date.now() - 2.9 * hour).toISOString(),
    end_time: new Date(Date.now() - 60_000).toISOString(),
  })
  const { ranges } = await (await page.request.get(`/v1/stream/${uid}/archive/ranges?${query}`)).json()
  const at = ranges.findIndex(({ status }: { status: number }, index: number) => index > 0 && status === 0)
  return { from: Date.parse(ranges[at].date), to: Date.parse(ranges[at + 1].date) }
}

/** Pauses within a frame: at the border of two a moment may be either's, so it is left again. */
async function pauseInFrame(page: Page): Promise<void> {
  const play = archiveOf(page).getByRole('button', { name: 'Play', exact: true })
  for (;;) {
    await archiveOf(page).getByRole('button', { name: 'Pause' }).click()
    await expect(play).toBeVisible()
    let before = Number.NaN
    const { shown } = await tilesThat(page, (reading) => {
      const isStill = reading.shown === before
      before = reading.shown
      return isStill
    })
    if (Math.abs((shown % frameMs) - frameMs / 2) < frameMs / 2 - 4) return
    await play.click()
  }
}

test('nine tiles go to a moment together, pause at one frame, and step by one', async ({ page }) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const id = await mosaicOf(page, 9)
  const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
  await openAt(page, id, at)
  const first = await tilesThat(page, (reading) => areTogether(reading, 8, driftMs))
  expect(first.shown).toBeGreaterThanOrEqual(at)
  expect(first.labels.at(-1)).toBe('Car park: No recording')

  await page.getByRole('slider', { name: 'Timeline' }).press('Shift+ArrowLeft')
  await tilesThat(page, (reading) => reading.shown < at && areTogether(reading, 8, driftMs))

  await pauseInFrame(page)
  const isAtClock = ({ frames, shown }: TileReading) =>
    Math.abs(shown - (Number(frames[0]) + frameMs / 2)) < frameMs / 2
  const isStill = (reading: TileReading) =>
    areTogether(reading, 8, frameMs) &&
    isAtClock(reading) &&
    [0, 1, 2].every((camera) => reading.frames[camera] === reading.frames[camera + 3])
  let before = await tilesThat(page, isStill)
  for (const [button, way] of [
    ['Next frame', 1],
    ['Next frame', 1],
    ['Previous frame', -1],
  ] as const) {
    const next = Number(before.frames[0]) + way * frameMs
    await archiveOf(page).getByRole('button', { name: button }).click()
    before = await tilesThat(page, (reading) => isStill(reading) && reading.frames[0] === next)
  }
  await expect.poll(() => momentIn(page)).toBe(before.shown)

  const slider = page.getByRole('slider', { name: 'Timeline' })
  const span = () =>
    slider.evaluate(
      (element) => Number(element.getAttribute('aria-valuemax')) - Number(element.getAttribute('aria-valuemin')),
    )
  const spanBefore = await span()
  await slider.press('+')
  await expect.poll(span).toBeLessThan(spanBefore)
  expect(problems).toEqual([])
})

test('at four times the speed they stay together', async ({ page }) => {
  const at = Date.now() - hour / 2
  await openAt(page, await mosaicOf(page, 4), at, '&speed=4')
  await expect(archiveOf(page).getByRole('button', { name: 'Speed 4×' })).toBeVisible()
  await tilesThat(page, (reading) => reading.shown > at + 20_000 && areTogether(reading, 3, 4 * driftMs))
})

test(
  'backwards, tiles show one moment after the other in step; a pause shows its frame, and play goes on from there',
  { tag: '@long' },
  async ({ page }) => {
    const speed = 2
    const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
    await openAt(page, await mosaicOf(page, 4), at)
    await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))
    const panel = archiveOf(page)
    const button = (name: string) => panel.getByRole('button', { name, exact: true })
    await page.getByRole('slider', { name: 'Timeline' }).focus()
    await page.keyboard.press('<')
    await page.keyboard.press('<')
    await expect(button('Speed −2×')).toBeVisible()
    const start = (await readTiles(page)).shown
    const readings: TileReading[] = []
    await tilesThat(page, (reading) => {
      readings.push(reading)
      return reading.shown < start - 14_000
    })
    // Each tile shows its last keyframe, of a second; a reading within a round has pictures of the round before.
    const late = 1000 + speed * 1000
    const isInStep = ({ frames, shown }: TileReading) =>
      frames.slice(0, 3).every((frame) => frame !== null && frame <= shown + late && frame > shown - late)
    const settled = readings.slice(Math.floor(readings.length / 2))
    expect(settled.filter((reading) => !isInStep(reading))).toEqual([])
    expect(new Set(readings.map(({ frames }) => frames[0])).size).toBeGreaterThan(3)
    expect(readings.at(-1)?.labels.at(-1)).toBe('Car park: No recording')

    await page.keyboard.press('k')
    await expect(button('Play')).toBeVisible()
    const paused = await tilesThat(page, (reading) => areTogether(reading, 3, frameMs))
    expect(paused.shown).toBeLessThan(start - 14_000 + late)
    await page.keyboard.press('k')
    await tilesThat(page, (reading) => reading.shown > paused.shown + 1000 && areTogether(reading, 3, driftMs))
  },
)

test('half a minute behind live it goes on and on, and loads nothing anew', { tag: '@long' }, async ({ page }) => {
  const id = await mosaicOf(page, 4)
  const at = Date.now() - 25_000
  await openAt(page, id, at)
  /** Gate and Yard; the third camera records only while somebody watches it. */
  const always = <T>(ofTiles: readonly T[]) => ofTiles.slice(0, 2)
  const areThere = ({ frames, shown }: TileReading) =>
    frames.length === 4 && always(frames).every((frame) => frame !== null && Math.abs(frame - shown) < 1000)
  await tilesThat(page, areThere)
  const sources = () =>
    page
      .locator('video')
      .evaluateAll((videos) => videos.map((video) => (video instanceof HTMLVideoElement ? video.currentSrc : '')))
  const before = always(await sources())
  const labels = await recordTileLabels(page)
  for (const seconds of [10, 20, 30, 40]) {
    await tilesThat(page, (reading) => reading.shown > at + seconds * 1000 && areThere(reading))
  }
  expect(always(await sources())).toEqual(before)
  expect((await labels()).filter((label) => /^(Gate|Yard): Loading…$/.test(label))).toEqual([])
})

test('in a gap tiles say so, and go on together behind it', async ({ page }) => {
  const id = await mosaicOf(page, 4)
  const gap = await newestGap(page)
  await openAt(page, id, gap.from - 16_000)
  await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))
  await tilesThat(page, ({ labels }) => labels.every((label) => label.endsWith(': No recording')))
  await openAt(page, id, gap.to - 4000)
  await tilesThat(
    page,
    ({ labels, shown }) => shown < gap.to && labels.every((label) => label.endsWith(': No recording')),
  )
  const after = await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))
  expect(after.shown).toBeGreaterThanOrEqual(gap.to - frameMs)
})

test('a click on a track enters the archive; a tile is left live and joins again; live is left and found', async ({
  page,
}) => {
  await page.goto(`/ui/mosaic/${await mosaicOf(page, 4)}`)
  const gate = page.getByRole('article', { name: /^Gate/ })
  await expect(gate).toHaveAccessibleName('Gate: Live')
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(archiveOf(page)).toHaveAttribute('data-view-mode', 'live')
  const slider = page.getByRole('slider', { name: 'Timeline' })
  await expect(slider).toHaveAttribute('aria-valuetext', /of 4 recorded/)
  const box = await slider.boundingBox()
  const [from, to] = [
    Number(await slider.getAttribute('aria-valuemin')),
    Number(await slider.getAttribute('aria-valuemax')),
  ]
  if (box === null) throw new Error('the timeline has no box')
  const wanted = Date.now() - hour / 2
  await page.mouse.click(box.x + ((wanted / 1000 - from) / (to - from)) * box.width, box.y + 40)
  await expect(archiveOf(page)).toHaveAttribute('data-view-mode', 'archive')
  const past = await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))
  expect(Math.abs(past.shown - wanted)).toBeLessThan(60_000)

  await gate.hover()
  await gate.getByRole('button', { name: 'Keep Gate live' }).click()
  await expect(gate).toHaveAccessibleName('Gate: Live')
  const mixed = await tilesThat(
    page,
    (reading) => areTogether(reading, 2, driftMs) && Math.abs((reading.frames[0] ?? 0) - Date.now()) < 20_000,
  )
  expect(mixed.labels[0]).toBe('Gate: Live')
  await gate.getByRole('button', { name: 'Play Gate with the others' }).click()
  await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))

  await archiveOf(page).getByRole('button', { name: 'Go live' }).click()
  await expect(archiveOf(page)).toHaveAttribute('data-view-mode', 'live')
  await expect(gate).toHaveAccessibleName('Gate: Live')
  await page.goBack()
  await expect(archiveOf(page)).toHaveAttribute('data-view-mode', 'archive')
  await tilesThat(page, (reading) => areTogether(reading, 3, driftMs))
  await archiveOf(page).getByRole('button', { name: 'Close the archive' }).click()
  await expect(archiveOf(page)).toBeHidden()
  expect(momentIn(page)).toBeNaN()
  expect((await readTiles(page)).labels).toHaveLength(4)
})

test('only tiles in sight play: one enlarged by its name plays alone after a while, and all play once they are back; a camera that is cut off touches no other', async ({
  page,
}) => {
  await page.goto(`/ui/mosaic/${await mosaicOf(page, 4)}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Together' })).toBeVisible()
  const playing = () =>
    page
      .locator('video')
      .evaluateAll(
        (videos) => videos.filter((video) => video instanceof HTMLVideoElement && video.readyState >= 2).length,
      )
  await expect.poll(playing).toBe(3)
  const [wall, yard] = [page.getByRole('region', { name: 'Together' }), page.getByRole('article', { name: /^Yard/ })]
  await page.getByRole('button', { name: 'Yard', exact: true }).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect.poll(async () => await yard.boundingBox()).toEqual(await wall.boundingBox())
  await expect.poll(playing).toBe(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect.poll(playing).toBe(3)
  const gate = page.getByRole('article', { name: /^Gate/ })
  await page.route(`**/v1/stream/${await uidOf(page, 'Gate')}/archive/**`, (route) => route.abort())
  await expect(gate).toHaveAccessibleName(/Waiting for the picture|No live picture/)
  const [, before] = (await readTiles(page)).frames
  await tilesThat(
    page,
    ({ labels, frames }) =>
      labels[0] !== 'Gate: Live' && labels[1] === 'Yard: Live' && Number(frames[1]) > Number(before) + 1000,
  )
})
