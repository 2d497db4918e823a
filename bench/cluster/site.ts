import { freePort } from '../../scripts/free-port.ts'
import { openSite, type Site } from '../../scripts/nodes.ts'
import type { Figure } from '../figures.ts'
import { addCameras, siteCamera, siteEnvironment } from '../site/recording.ts'
import { startCameras } from '../site/rtsp-cameras.ts'
import { unpaired } from './bookkeeping.ts'
import { administratorEnvironment, openNodes, type BenchNode } from './nodes.ts'

const nodeCount = 3
const cameraCount = 24

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** A cluster whose nodes record; `uids`: of its streams. */
interface RecordingCluster {
  site: Site
  nodes: readonly BenchNode[]
  first: BenchNode
  uids: readonly string[]
}

/** Measures three nodes that record 24 cameras, and removes them. */
export async function withRecordingCluster(
  measure: (cluster: RecordingCluster) => Promise<Figure[]>,
): Promise<Figure[]> {
  const cameras = await startCameras(siteCamera)
  const site = await openSite({ ...administratorEnvironment, ...siteEnvironment, DEMO: '0' })
  try {
    const nodes = await openNodes(site, await Promise.all(Array.from({ length: nodeCount }, freePort)))
    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    const uids: string[] = []
    await addCameras({ cameras, ask: first.ask }, uids, cameraCount)
    await first.untilAllRun(cameraCount)
    print(`${cameraCount} cameras run on ${nodeCount} nodes`)
    return await measure({ site, nodes, first, uids })
  } finally {
    await site.remove()
    cameras.stop()
  }
}

/** Counts and prints chunks that are only in the index or only in the bucket. */
export async function unpairedFigures(site: Site): Promise<Figure[]> {
  const { rows, objects } = await unpaired(site)
  for (const name of rows) print(`a row without an object: ${name}`)
  for (const name of objects) print(`an object without a row: ${name}`)
  return [
    { name: 'rows without an object or a file', values: [rows.length], unit: 'chunks', goal: { worst: 0 } },
    { name: 'objects without a row', values: [objects.length], unit: 'chunks', goal: { worst: 0 } },
  ]
}
