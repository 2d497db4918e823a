import { openLive, type Measure } from './harness.ts'

const rounds = 20

/** From the click on a stream's link in the list to its first live frame, with everything that the list preloads. */
export const openings: Measure = async (bench) => {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await bench.page.goto(`${bench.address}/ui/streams`)
    await bench.page.waitForLoadState('networkidle')
    taken.push(await openLive(bench))
  }
  return [{ name: 'Press to first live frame', unit: 'ms', values: taken, goal: { median: 300, p95: 450 } }]
}
