import { Agent, type OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { accessSteps } from '../server/access/tables.ts'
import { createAnnotationStore } from '../server/archive/events/annotations.ts'
import { archiveSteps } from '../server/archive/repair/tables.ts'
import { dayMs } from '../server/durations.ts'
import { openStore } from '../server/store/store.ts'
import { timed } from './timed.ts'
import { addViewer } from './crowd.ts'
import type { Figure } from './figures.ts'
import { repeatableRandom } from './harness.ts'
import { seedStreams } from './many-streams.ts'
import { signIn, startServer } from './server.ts'

const cameras = 50
const count = 100_000
const spanMs = 30 * dayMs
const addedAtOnce = 1000
const labels = ['person', 'car', 'truck', 'bicycle', 'dog']
/** One of so many events is of the rare type. */
const rareEvery = 1000
const rareType = 'alarm'
const rounds = 100
const goalMs = 200
/** An answer without events is shorter. */
const emptyBytes = 100

const uidOf = (camera: number): string => `cam-${String(camera).padStart(5, '0')}`
/** The viewer's cameras are every tenth one. */
const viewed = Array.from({ length: cameras / 10 }, (_, index) => uidOf((index + 1) * 10))

/** Adds the events of a month of detectors, oldest first; returns the API token of the viewer. */
const seed = async (dataDir: string): Promise<string> => {
  await seedStreams(dataDir, cameras)
  const schema = new Map([
    ['access', accessSteps],
    ['archive', archiveSteps],
  ])
  const store = await openStore(join(dataDir, 'sightline.db'), undefined, schema)
  const annotations = createAnnotationStore(store)
  const random = repeatableRandom(20)
  const from = Date.now() - spanMs
  const eventOf = (index: number) => {
    const time = from + Math.floor((index * spanMs) / count)
    return {
      streamId: uidOf(1 + Math.floor(random() * cameras)),
      type: index % rareEvery === 0 ? rareType : 'event',
      time,
      timeEnd: time + 5000,
      label: labels[Math.floor(random() * labels.length)] ?? '',
      score: random(),
      box: { x: 0.1, y: 0.2, w: 0.3, h: 0.4 },
      source: 'detector',
    }
  }
  for (let first = 0; first < count; first += addedAtOnce) {
    const some = Array.from({ length: addedAtOnce }, (_, index) => eventOf(first + index))
    await store.transaction(() => annotations.addDetected(some))
  }
  const token = await addViewer(store, 'rowid % 10 = 0')
  await store.close()
  return token
}

/** `events`: how long the search of the Events page takes among 100,000 events of 50 cameras. */
export async function events(): Promise<Figure[]> {
  const random = repeatableRandom(21)
  const oneOf = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const searches: Readonly<Record<string, () => string>> = {
    'without a filter': () => '',
    'by label': () => `label=${oneOf(labels)}`,
    'by camera': () => `streamId=${oneOf(viewed)}`,
    'by a rare type': () => `type=${rareType}`,
    'page 20': () => 'page=20',
  }
  let token = ''
  const agent = new Agent({ keepAlive: true })
  const server = await startServer(true, {
    hasDemo: false,
    seed: async (dataDir) => {
      token = await seed(dataDir)
    },
  })
  try {
    const callers: Readonly<Record<string, OutgoingHttpHeaders>> = {
      administrator: { cookie: await signIn(server) },
      'viewer of 5 cameras': { authorization: `Bearer ${token}` },
    }
    const figures: Figure[] = []
    for (const [search, queryOf] of Object.entries(searches)) {
      for (const [caller, headers] of Object.entries(callers)) {
        const values: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          const url = `${server.address}/v1/events/search?${queryOf()}`
          const { ms, bytes } = await timed(agent, url, headers)
          if (bytes < emptyBytes) throw new Error(`${search}: ${caller} finds nothing`)
          values.push(ms)
        }
        figures.push({ name: `${search}, ${caller}`, unit: 'ms', values, goal: { p95: goalMs } })
      }
    }
    return figures
  } finally {
    agent.destroy()
    await server.stop()
  }
}
