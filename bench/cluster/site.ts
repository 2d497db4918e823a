import { setTimeout as after } from 'node:timers/promises'
import { openSite, type Site } from '../../scripts/nodes.ts'
import { minuteMs } from '../../server/durations.ts'
import type { Figure } from '../figures.ts'
import { addCameras, siteCamera, siteEnvironment } from '../site/recording.ts'
import { startCameras, type Cameras } from '../site/rtsp-cameras.ts'
import { isSwept, unpaired } from './bookkeeping.ts'
import { administratorEnvironment, openNodes, type BenchNode } from './nodes.ts'

const cameraCount = 24
/** A chunk has less. */
const quotaBytes = 20_000_000
/** With that quota a sweep deletes all that is older. */
const keptMs = 5 * minuteMs
const sweptWithinMs = 10 * minuteMs

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** A cluster whose nodes record; `uids`: of its streams. */
export interface RecordingCluster {
  site: Site
  cameras: Cameras
  nodes: readonly BenchNode[]
  first: BenchNode
  uids: readonly string[]
}

/** Measures three nodes that record 24 cameras, and removes them. `aheadMs`: how far the clock of the last is ahead. */
export async function withRecordingCluster(
  measure: (cluster: RecordingCluster) => Promise<Figure[]>,
  aheadMs = 0,
): Promise<Figure[]> {
  const cameras = await startCameras(siteCamera)
  const site = await openSite({ ...administratorEnvironment, ...siteEnvironment, DEMO: '0' })
  try {
    const nodes = await openNodes(site, [0, 0, aheadMs])
    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    const uids: string[] = []
    await addCameras({ cameras, ask: first.ask }, uids, cameraCount)
    await first.untilAllRun(cameraCount)
    print(`${cameraCount} cameras run on ${nodes.length} nodes`)
    return await measure({ site, cameras, nodes, first, uids })
  } finally {
    await site.remove()
    cameras.stop()
  }
}

/** Gives the cameras a quota, waits for the sweep, and counts chunks that only the index or only the bucket has. */
export async function sweptFigures({ site, cameras, first, uids }: RecordingCluster): Promise<Figure[]> {
  const before = Date.now() - keptMs
  for (const [camera, uid] of uids.entries())
    await first.ask('PUT', `/v1/stream/${uid}`, {
      name: `Camera ${camera + 1}`,
      streamSource: cameras.addressOf(camera),
      archive: { quotaBytes },
    })
  const from = performance.now()
  while (!(await isSwept(site, before)) && performance.now() - from < sweptWithinMs) await after(1000)
  const isDone = await isSwept(site, before)
  const { rows, objects } = await unpaired(site)
  for (const name of rows) print(`a row without an object: ${name}`)
  for (const name of objects) print(`an object without a row: ${name}`)
  const figure = (name: string, value: number): Figure => ({
    name: `${name}, after the sweep`,
    values: [isDone ? value : Number.NaN],
    unit: 'chunks',
    goal: { worst: 0, lost: 0 },
  })
  return [figure('rows without an object or a file', rows.length), figure('objects without a row', objects.length)]
}
