import { openLive, type Bench, type Measure } from './harness.ts'

const warmUp = 10
const rounds = 100

interface Held {
  heap: number
  nodes: number
  videos: number
}

async function heldBy({ page, cdp }: Bench): Promise<Held> {
  await page.waitForTimeout(3000)
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  const prototype = await cdp.send('Runtime.evaluate', { expression: 'HTMLMediaElement.prototype', objectGroup: 'bench' })
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: prototype.result.objectId ?? '', objectGroup: 'bench' })
  const length = await cdp.send('Runtime.callFunctionOn', { functionDeclaration: 'function () { return this.filter((one) => one instanceof HTMLVideoElement && Object.getPrototypeOf(one) === HTMLVideoElement.prototype).length }', objectId: objects.objectId ?? '', returnByValue: true })
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup: 'bench' })
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), videos: Number(length.result.value) }
}

/** Opens and closes a player, in one page, a hundred times: what is held then against what was held before. */
export const leaks: Measure = async (bench) => {
  const { page, cdp } = bench
  await cdp.send('Performance.enable')
  const openAndClose = async () => {
    await openLive(bench)
    await page.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name: 'All streams' }).click()
    await page.getByRole('link', { name: new RegExp(bench.stream) }).first().waitFor()
  }
  for (let round = 0; round < warmUp; round += 1) await openAndClose()
  const before = await heldBy(bench)
  for (let round = 0; round < rounds; round += 1) await openAndClose()
  const after = await heldBy(bench)
  const grown = (name: keyof Held) => (before[name] === after[name] ? 0 : Math.max(0, (after[name] / before[name] - 1) * 100))
  process.stdout.write(`held before ${JSON.stringify(before)}, after ${rounds} rounds ${JSON.stringify(after)}\n`)
  return [
    { name: `Heap after ${rounds} players, grown by`, unit: '%', values: [grown('heap')], goal: { worst: 5 } },
    { name: `Nodes after ${rounds} players, grown by`, unit: '%', values: [grown('nodes')], goal: { worst: 5 } },
    { name: `Live media elements after ${rounds} players`, unit: 'more', values: [after.videos - before.videos], goal: { worst: 0 } },
  ]
}
