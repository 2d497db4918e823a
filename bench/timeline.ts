import { openLive, type Bench, type Measure } from './harness.ts'
import { giveLongArchive } from './long-archive.ts'
import { frameCosts, traceCategories } from './trace.ts'

const slowdown = 4
const measureMs = 20_000

async function bandOf({ page }: Bench) {
  const slider = page.getByRole('slider', { name: 'Timeline' })
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the timeline has no box')
  return { slider, box, middle: { x: box.x + box.width / 2, y: box.y + box.height / 2 } }
}

/** Shows every day of the archive once, so that all of it is loaded; returns the number of requests. */
async function showAll(bench: Bench, from: number): Promise<number> {
  const { page } = bench
  const { slider, middle } = await bandOf(bench)
  let requests = 0
  page.on('response', (response) => (requests += /archive\/ranges/.test(response.url()) ? 1 : 0))
  await page.mouse.move(middle.x, middle.y)
  for (let round = 0; round < 10; round += 1) await page.mouse.wheel(0, 400)
  while (Number(await slider.getAttribute('aria-valuemin')) * 1000 > from) {
    await page.mouse.wheel(-900, 0)
    await page.waitForTimeout(250)
  }
  await page.waitForTimeout(2000)
  return requests
}

/** Drags the timeline to and fro and turns the wheel over it, without a pause. */
async function panAndZoom(bench: Bench): Promise<void> {
  const { page } = bench
  const { box, middle } = await bandOf(bench)
  const until = performance.now() + measureMs
  for (let round = 0; performance.now() < until; round += 1) {
    const direction = round % 2 === 0 ? 1 : -1
    const start = middle.x - direction * box.width * 0.4
    await page.mouse.move(start, middle.y)
    await page.mouse.down()
    for (let step = 1; step <= 50; step += 1)
      await page.mouse.move(start + direction * step * box.width * 0.016, middle.y)
    await page.mouse.up()
    for (let step = 0; step < 50; step += 1) await page.mouse.wheel(0, (round % 4 < 2 ? -1 : 1) * 24)
  }
}

/** Scripting and painting of a frame while the timeline of a month is panned and zoomed on a slow machine. */
export const timeline: Measure = async (bench) => {
  const { page, cdp } = bench
  const { from } = await giveLongArchive(page, Date.now())
  await openLive(bench)
  const requests = await showAll(bench, from)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: traceCategories })
  await panAndZoom(bench)
  const trace = await browser?.stopTracing()
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  process.stdout.write(`a month was loaded in ${requests} requests\n`)
  const { wallMs, processorMs, compositingMs } = frameCosts(trace?.toString() ?? '{"traceEvents":[]}')
  const name = `Timeline, scripting and painting a frame, ${slowdown}× slower`
  return [
    { name, unit: 'ms', values: wallMs, goal: { p95: 8 } },
    { name: `${name}, of processor`, unit: 'ms', values: processorMs, goal: { p95: 8 } },
    {
      name: `Timeline, compositing a frame, ${slowdown}× slower, of processor`,
      unit: 'ms',
      values: compositingMs,
      goal: {},
    },
  ]
}
