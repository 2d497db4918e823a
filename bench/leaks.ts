import type { CDPSession } from 'playwright'
import * as z from 'zod/mini'
import { openLive, type Bench, type Measure } from './harness.ts'

const warmUp = 10
const rounds = 100

const Snapshot = z.object({
  snapshot: z.object({
    meta: z.object({
      node_fields: z.array(z.string()),
      node_types: z.array(z.union([z.string(), z.array(z.string())])),
    }),
  }),
  nodes: z.array(z.number()),
})

/** Excluded: compiled code grows while the engine optimises, and the browser's own objects aren't the page's. */
const notOurs = new Set(['code', 'native', 'hidden', 'synthetic'])

/** Bytes of the page's own objects, strings, arrays and closures, after a garbage collection. */
async function objectBytes({ cdp }: Bench): Promise<number> {
  let text = ''
  const add = ({ chunk }: { chunk: string }) => {
    text += chunk
  }
  cdp.on('HeapProfiler.addHeapSnapshotChunk', add)
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  cdp.off('HeapProfiler.addHeapSnapshotChunk', add)
  const { snapshot, nodes } = z.parse(Snapshot, JSON.parse(text))
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const kinds = types[type] ?? []
  let bytes = 0
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (!notOurs.has(kinds[nodes[node + type] ?? 0] ?? '')) bytes += nodes[node + size] ?? 0
  }
  return bytes
}

/** The number of `<video>` elements in memory, shown or not. */
export async function videosHeld(cdp: CDPSession): Promise<number> {
  const prototype = await cdp.send('Runtime.evaluate', {
    expression: 'HTMLMediaElement.prototype',
    objectGroup: 'bench',
  })
  const { objects } = await cdp.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
    objectGroup: 'bench',
  })
  const length = await cdp.send('Runtime.callFunctionOn', {
    functionDeclaration:
      'function () { return this.filter((one) => one instanceof HTMLVideoElement && Object.getPrototypeOf(one) === HTMLVideoElement.prototype).length }',
    objectId: objects.objectId ?? '',
    returnByValue: true,
  })
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup: 'bench' })
  return Number(length.result.value)
}

interface Held {
  heap: number
  nodes: number
  videos: number
}

async function heldBy(bench: Bench): Promise<Held> {
  const { page, cdp } = bench
  await page.waitForTimeout(3000)
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return { heap: await objectBytes(bench), nodes: metric('Nodes'), videos: await videosHeld(cdp) }
}

/** Opens and closes a player a hundred times in one page, and compares memory and elements before and after. */
export const leaks: Measure = async (bench) => {
  const { page, cdp } = bench
  await cdp.send('Performance.enable')
  const openAndClose = async () => {
    await openLive(bench)
    await page.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name: 'All streams' }).click()
    await page
      .getByRole('link', { name: new RegExp(bench.stream) })
      .first()
      .waitFor()
  }
  for (let round = 0; round < warmUp; round += 1) await openAndClose()
  const before = await heldBy(bench)
  for (let round = 0; round < rounds; round += 1) await openAndClose()
  const after = await heldBy(bench)
  const changed = (name: keyof Held) =>
    before[name] === after[name] ? 0 : Math.abs(after[name] / before[name] - 1) * 100
  process.stdout.write(`held before ${JSON.stringify(before)}, after ${rounds} rounds ${JSON.stringify(after)}\n`)
  return [
    { name: `Heap after ${rounds} players, changed by`, unit: '%', values: [changed('heap')], goal: { worst: 5 } },
    { name: `Nodes after ${rounds} players, changed by`, unit: '%', values: [changed('nodes')], goal: { worst: 5 } },
    {
      name: `Live media elements after ${rounds} players`,
      unit: 'more',
      values: [after.videos - before.videos],
      goal: { worst: 0 },
    },
  ]
}
