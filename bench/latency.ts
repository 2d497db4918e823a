import { openLive, type Measure } from './harness.ts'

const settleMs = 15_000
const readings = 60

/** How old the frame on the screen is, on loopback: its strip against the wall clock. */
export const latency: Measure = async (bench) => {
  await openLive(bench)
  await bench.page.waitForTimeout(settleMs)
  const ages: number[] = []
  for (let index = 0; index < readings; index += 1) {
    ages.push(await bench.page.evaluate(() => (Date.now() - (globalThis.bench.read()?.frame ?? Number.NaN)) / 1000))
    await bench.page.waitForTimeout(500)
  }
  return [{ name: 'Live latency', unit: 's', values: ages, goal: { median: 5, lost: 0 } }]
}
