import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import { withPage } from './harness.ts'
import { openReadSession, startServer, waitForDemo } from './server.ts'
import { doAll, openWatched } from './soak/actions.ts'
import { heldByServer, pageProbe, type Held } from './soak/held.ts'
import { inspectedNode } from './inspected.ts'

export interface Sample {
  readonly minutes: number
  readonly held: Held
}

export interface Gauge {
  readonly name: string
  readonly unit: string
  readonly read: (held: Held) => number
  /** The growth over the later half that still counts as flat. */
  readonly maxRise: number
}

const restMs = 5000
const megabyte = 1024 * 1024

/**
 * Counts that are equal after the same actions may not grow by one: a single element, file or child that stays is a
 * leak. Nodes and listeners vary with the timeline's labels and with toasts. A browser keeps up to six sockets to a
 * host open, or closes them. A heap varies with the content of playlists and caches. Resident memory follows the heaps
 * late, and not every allocator returns it.
 */
export const gauges: readonly Gauge[] = [
  ...(['mosaic', 'player'] as const).flatMap((page): Gauge[] => [
    { name: `heap of the ${page}`, unit: 'MB', read: (held) => held[page].heapBytes / megabyte, maxRise: 6 },
    { name: `media elements of the ${page}`, unit: '', read: (held) => held[page].media, maxRise: 0.9 },
    { name: `nodes of the ${page}`, unit: '', read: (held) => held[page].nodes, maxRise: 300 },
    { name: `listeners of the ${page}`, unit: '', read: (held) => held[page].listeners, maxRise: 60 },
  ]),
  { name: 'heap of the server', unit: 'MB', read: ({ server }) => server.heapBytes / megabyte, maxRise: 8 },
  {
    name: 'resident memory of the server',
    unit: 'MB',
    read: ({ server }) => server.residentBytes / megabyte,
    maxRise: 40,
  },
  { name: 'sockets of the server', unit: '', read: ({ server }) => server.sockets, maxRise: 6 },
  { name: 'open files of the server', unit: '', read: ({ server }) => server.files, maxRise: 0.9 },
  { name: 'children of the server', unit: '', read: ({ server }) => server.children, maxRise: 0.9 },
]

/** The rise of the least-squares line through points, from the first to the last. */
function riseOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (read: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + read(point), 0) / points.length
  const [middle, level] = [mean(({ x }) => x), mean(({ y }) => y)]
  const spread = points.reduce((sum, { x }) => sum + (x - middle) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - middle) * (y - level), 0) / spread
  return slope * ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0))
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  const whole = Math.round(samples.at(-1)?.minutes ?? 0)
  const later = samples.slice(Math.floor(samples.length / 2))
  return gauges.map(({ name, unit, read, maxRise }) => ({
    name: `Soak of ${whole} min, ${name}, over the later half`,
    unit: `${unit} more`.trim(),
    values: [later.length < 3 ? Number.NaN : riseOf(later.map(({ minutes, held }) => ({ x: minutes, y: read(held) })))],
    goal: { worst: maxRise, lost: 0 },
  }))
}

const lineOf = ({ minutes, held }: Sample) =>
  `${minutes.toFixed(1)} min: ${gauges.map(({ name, unit, read }) => `${name} ${Math.round(read(held) * 10) / 10} ${unit}`.trim()).join(', ')}\n`

/**
 * A mosaic of nine tiles and a busy player, for some minutes on their own server; reports a sample after every round of
 * actions.
 */
export async function watchLong(
  isBuilt: boolean,
  minutes: number,
  report: (sample: Sample) => void,
  until = new AbortController().signal,
): Promise<void> {
  const heap = await inspectedNode()
  const server = await startServer(isBuilt, { env: heap.env, isOfTerminal: false })
  try {
    await waitForDemo(await openReadSession(server), 'Gate')
    const serverHeap = await heap.open()
    const watch = async (page: Page) => {
      const watched = await openWatched(page.context(), page)
      const [mosaic, player] = [await pageProbe(watched.mosaic), await pageProbe(watched.player)]
      const began = performance.now()
      for (let passed = 0; passed < minutes && !until.aborted;) {
        await doAll(watched)
        await after(restMs)
        passed = (performance.now() - began) / 60_000
        report({
          minutes: passed,
          held: {
            mosaic: await mosaic(),
            player: await player(),
            server: await heldByServer(server.pid ?? 0, serverHeap),
          },
        })
      }
    }
    await withPage(server, (page) => Promise.race([watch(page), once(until, 'abort')]), { isInterruptible: true })
    serverHeap.close()
  } finally {
    await server.stop()
  }
}

/** The figures of the soak; Ctrl-C ends it with the figures so far. */
export async function soak(isBuilt: boolean, minutes: number): Promise<Figure[]> {
  const samples: Sample[] = []
  let undone = 0
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const report = (sample: Sample) => {
    samples.push(sample)
    process.stdout.write(lineOf(sample))
  }
  await watchLong(isBuilt, minutes, report, interrupted.signal).catch((error: unknown) => {
    undone += 1
    process.stdout.write(`${String(error)}\n`)
  })
  return [
    ...figuresOf(samples),
    { name: 'Soak, actions that could not be done', unit: '', values: [undone], goal: { worst: 0 } },
  ]
}
