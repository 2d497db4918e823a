import { performance } from 'node:perf_hooks'
import { packTable } from '../server/archive/format/chunk-table.ts'
import { newRunKey, runOf } from '../server/archive/format/run.ts'
import { createSegmentIndex } from '../server/archive/index/segment-index.ts'
import type { StreamFacts } from '../server/cluster/facts.ts'
import { createLeaseRows } from '../server/cluster/lease-rows.ts'
import { createNodeRows } from '../server/cluster/node-rows.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { schema } from '../server/schema.ts'
import { openPostgres } from '../server/store/postgres/open.ts'
import { init } from '../tests/server/fixtures/paused-stream.ts'

/**
 * What a beat and a chunk cost the database of a cluster: `node bench/cluster-size.ts [cameras] [nodes]`, by default
 * 1,000 cameras on 18 nodes. PostgreSQL is on this machine, and doesn't wait for its disk.
 */
const cameras = Number(process.argv[2] ?? 1000)
const nodeCount = Number(process.argv[3] ?? 18)
const rounds = 200

const facts = {
  cpuPercent: 31,
  diskUsedPercent: 22,
  spoolBytes: 182_000_000,
  handInLagMs: 58_000,
  clockAheadMs: 12,
  viewers: 3,
}
const streamFacts: StreamFacts = {
  status: 'running',
  failureReason: '',
  renditions: ['main', 'sub'],
  viewers: 0,
  bitrate: 2_000_000,
  tracks: [
    { type: 'video', codec: 'avc1.64001f', width: 1280, height: 720 },
    { type: 'audio', codec: 'mp4a.40.2', sampleRate: 48_000 },
  ],
  video: { codec: 'avc1.64001f', width: 1280, height: 720, fps: 25 },
}
const uidOf = (camera: number): string => `camera-${String(camera).padStart(6, '0')}-000000000000`
const streamsOfNode = Math.ceil(cameras / nodeCount)
const factsOfNode = {
  ...facts,
  streams: Object.fromEntries(Array.from({ length: streamsOfNode }, (_, index) => [uidOf(index), streamFacts])),
}

const print = (name: string, ms: number): void => void process.stdout.write(`${name}: ${ms.toFixed(2)} ms\n`)

/** The best of the rounds: what it costs beside no other work. */
const best = async (name: string, work: (round: number) => Promise<unknown>, count = rounds): Promise<void> => {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) {
    const from = performance.now()
    await work(round)
    times.push(performance.now() - from)
  }
  print(name, Math.min(...times))
}

const postgres = await startPostgres()
const store = await openPostgres(postgres.url, schema)
try {
  const self = { id: 'node-0', name: 'node-0', url: 'http://node-0', version: '1', instance: 'i' }
  const database = { store, clock: 'now_ms()' }
  const nodes = createNodeRows(database, self)
  const leases = createLeaseRows(database, self)
  await nodes.join()
  for (let node = 1; node < nodeCount; node += 1) {
    const other = createNodeRows(database, { ...self, id: `node-${node}`, name: `node-${node}` })
    await other.join()
    await other.beat(factsOfNode)
  }
  await store.transaction(async () => {
    for (let camera = 0; camera < cameras; camera += 1) {
      await store.run(
        `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand,
           is_paused, created_at, needle) VALUES (?, ?, '', '[]', '', '', 1, 720, 0, 0, 0, '')`,
        uidOf(camera),
        `Camera ${camera}`,
      )
      await store.run(
        "INSERT INTO leases (uid, node, epoch, expires, since, reason) VALUES (?, ?, 1, now_ms() + 12000, 0, 'placed')",
        uidOf(camera),
        `node-${camera % nodeCount}`,
      )
    }
  })
  await store.run("INSERT INTO volumes (key, path, node) VALUES ('a', '/a', 'node-0'), ('b', 's3://b', NULL)")

  process.stdout.write(`the facts of a node: ${JSON.stringify(factsOfNode).length} bytes\n`)
  await best('a beat: facts', () => nodes.beat(factsOfNode), 40)
  await best('a beat: renews the leases of the node', leases.renew, 40)
  await best('a beat: reads all nodes', nodes.read, 40)
  await best('a beat: reads all leases', leases.read, 40)

  const index = createSegmentIndex(store, { isMissing: () => false, leavesGarbage: (id) => id > 1 }, true)
  const uid = uidOf(0)
  const { recording } = await index.open(uid)
  const run = runOf(1, newRunKey(), init)
  const startOf = (round: number): number => 1_700_000_000_000 + round * 60_000
  const segments = (start: number) =>
    Array.from({ length: 30 }, (_, each) => ({
      start: start + each * 2000,
      finish: start + each * 2000 + 2000,
      duration: 2,
      mediaStart: each * 2,
      offset: each * 500_000,
      bytes: 500_000,
    }))
  await best('a chunk: its row under the lease', (round) => {
    const start = startOf(round)
    const table = packTable(segments(start), 1000)
    const chunk = { start, finish: start + 60_000, bytes: 15_000_000, volume: 1, table }
    return index.addChunk(uid, recording, chunk, run, [], 1)
  })
  await best('a chunk: moves to the bucket', (round) => index.moveChunk(recording, { uid, start: startOf(round) }, 2))
  await best('a chunk: deleted by retention', (round) => index.removeChunk(recording, startOf(round)))
} finally {
  await store.close()
  await postgres.remove()
}
