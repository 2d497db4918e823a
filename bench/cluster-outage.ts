import { setTimeout as after } from 'node:timers/promises'
import { freePort } from '../scripts/free-port.ts'
import { openSite } from '../scripts/nodes.ts'
import { minuteMs } from '../server/durations.ts'
import { notHandedIn, unpaired } from './cluster/bookkeeping.ts'
import { administratorEnvironment, openNodes } from './cluster/nodes.ts'
import type { Figure } from './figures.ts'
import { addCameras, lostBetween, siteCamera, siteEnvironment } from './site/recording.ts'
import { startCameras } from './site/rtsp-cameras.ts'

const nodeCount = 3
const cameraCount = 24
/** Before and after the outage. */
const aroundMs = 90_000
/** The last minute is in the making. */
const newestMs = 75_000
const handedInWithinMs = 15 * minuteMs

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** `cluster-outage`: the bucket of three nodes that record 24 cameras is away for `minutes`. */
export async function clusterOutage(minutes: number): Promise<Figure[]> {
  const cameras = await startCameras(siteCamera)
  const site = await openSite({ ...administratorEnvironment, ...siteEnvironment, DEMO: '0' })
  try {
    const nodes = await openNodes(site, await Promise.all(Array.from({ length: nodeCount }, freePort)))
    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    const uids: string[] = []
    await addCameras({ cameras, ask: first.ask }, uids, cameraCount)
    await first.allRun(cameraCount)
    print(`${cameraCount} cameras run on ${nodeCount} nodes`)
    await after(aroundMs)

    const from = Date.now()
    await site.s3.cut()
    print(`the bucket is away for ${minutes} min`)
    await after(minutes * minuteMs)
    await site.s3.start()
    const back = Date.now()
    const waiting = await notHandedIn(site, back)
    print(`it is back, and ${waiting} chunks wait`)
    while ((await notHandedIn(site, back - newestMs)) > 0 && Date.now() - back < handedInWithinMs) await after(500)
    const seconds = (Date.now() - back) / 1000
    await after(aroundMs)

    const lost: number[] = []
    for (const uid of uids) lost.push(await lostBetween(first, [uid], from - newestMs, back))
    const { rows, objects } = await unpaired(site)
    return [
      {
        name: `until all chunks of ${minutes} min without the bucket are handed in`,
        values: [seconds],
        unit: 's',
        goal: {},
      },
      { name: 'chunks that waited', values: [waiting], unit: 'chunks', goal: {} },
      { name: 'lost of each camera: bucket away', values: lost, unit: 's', goal: { worst: 0 } },
      { name: 'rows without an object or a file', values: [rows.length], unit: 'chunks', goal: { worst: 0 } },
      { name: 'objects without a row', values: [objects.length], unit: 'chunks', goal: { worst: 0 } },
    ]
  } finally {
    await site.remove()
    cameras.stop()
  }
}
