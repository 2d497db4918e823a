import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { fillChunks } from '../scripts/fill-chunks.ts'
import { startS3 } from '../scripts/s3.ts'
import { newRunKey, runOf } from '../server/archive/format/run.ts'
import { scenes } from '../server/demo/scenes.ts'
import { drawStills } from '../server/demo/stills.ts'
import { minuteMs } from '../server/durations.ts'
import { chunkFile, streamFolder } from '../server/storage/folders.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import { quantile } from './figures.ts'
import { repeatableRandom } from './harness.ts'
import { paceOf } from './pace.ts'
import { openCallSession, startServer, type Call } from './server.ts'

/**
 * How fast chunks are handed in to a bucket, and how long playlists and segments take from the bucket and from the
 * disk: `node bench/s3.ts [cameras] [minutes]`, by default 8 cameras of 2 Mbit/s for 6 minutes. The bucket is Ceph in
 * memory on this machine.
 */
const cameras = Number(process.argv[2] ?? 8)
const minutes = Number(process.argv[3] ?? 6)
const segmentMs = 2000
const segmentBytes = 500_000
const headBytes = 1000
const reads = 200
const t0 = Math.floor((Date.now() - 3 * 60 * minuteMs) / minuteMs) * minuteMs
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const Created = z.object({ uid: z.string() })
const Recording = z.object({ id: z.number() })

const addStreams = async (dataDir: string): Promise<string[]> => {
  const server = await startServer(true, { hasDemo: false, dataDir })
  try {
    const ask = await openCallSession(server)
    const uids: string[] = []
    for (let camera = 1; camera <= cameras; camera += 1) {
      const body = { name: `Camera ${camera}`, streamSource: 'rtsp://192.0.2.1/x', archive: { isEnable: true } }
      const { uid } = z.parse(Created, await (await ask('POST', '/v1/stream', body)).json())
      await ask('POST', `/v1/stream/pause/${uid}`)
      uids.push(uid)
    }
    return uids
  } finally {
    await server.stop()
  }
}

const fill = async (dataDir: string, uids: readonly string[]): Promise<void> => {
  const scene = scenes.get('gate')
  if (scene === undefined) throw new Error('no scene')
  const { init } = await drawStills(scene, t0 / 1000, new AbortController().signal)
  const content = randomBytes(headBytes + (minuteMs / segmentMs) * segmentBytes)
  const db = openDatabase(join(dataDir, 'sightline.db'))
  for (const [index, uid] of uids.entries()) {
    const recording = z.parse(Recording, db.prepare('SELECT id FROM recordings WHERE uid = ?').get(uid)).id
    const run = runOf(index + 1, newRunKey(), init)
    db.prepare(
      `INSERT INTO runs (id, recording, key, init, codecs, width, height, has_sound, first)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    ).run(run.id, recording, run.key, init.bytes, run.codecs, run.width, run.height, t0)
    const segments = (minutes * minuteMs) / segmentMs
    fillChunks(db, { recording, run: run.id, from: t0, segments, segmentMs, bytes: segmentBytes })
    for (let minute = 0; minute < minutes; minute += 1) {
      const path = join(streamFolder(dataDir, uid), chunkFile(t0 + minute * minuteMs))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
  }
  db.exec(`UPDATE chunks SET bytes = ${content.length}; UPDATE recordings SET bytes = ${content.length * minutes}`)
  db.close()
}

const spread = (values: readonly number[]): string => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string => quantile(sorted, share).toFixed(1)
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms`
}

const read = async (ask: Call, path: string): Promise<number> => {
  const asked = performance.now()
  await (await ask('GET', path)).arrayBuffer()
  return performance.now() - asked
}

const measure = async (ask: Call, uids: readonly string[], where: string): Promise<void> => {
  const random = repeatableRandom(1)
  const anyOf = (): string => uids[Math.floor(random() * uids.length)] ?? ''
  const [start, end] = [t0, t0 + minutes * minuteMs].map((moment) => new Date(moment).toISOString())
  const playlist = (): string => `/v1/stream/${anyOf()}/archive/recorded.m3u8?start_time=${start}&end_time=${end}`
  const segment = (): string => {
    const index = Math.floor(random() * ((minutes * minuteMs) / segmentMs))
    return `/v1/stream/${anyOf()}/archive/recorded/${t0 + index * segmentMs}.m4s`
  }
  const times = async (path: () => string, atOnce: number): Promise<number[]> => {
    const found: number[] = []
    const work = async (): Promise<void> => {
      while (found.length + atOnce <= reads) found.push(await read(ask, path()))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return found
  }
  print(`${where}: playlists of ${minutes} min: ${spread(await times(playlist, 1))}`)
  print(`${where}: segments of 0.5 MB, one by one: ${spread(await times(segment, 1))}`)
  print(`${where}: segments of 0.5 MB, 8 at once: ${spread(await times(segment, 8))}`)
}

const handedIn = async (ask: Call): Promise<number> => {
  const text = await (await ask('GET', '/v1/system/metrics')).text()
  return Number(/^sightline_hand_in_chunks_total (\d+)/m.exec(text)?.[1] ?? 0)
}

const s3 = await startS3()
const dataDir = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
try {
  await s3.makeBucket('bench')
  const uids = await addStreams(dataDir)
  await fill(dataDir, uids)
  print(`${cameras} cameras, ${minutes} min, ${cameras * minutes} chunks of 15 MB; pace ${paceOf()} ms`)
  const local = await startServer(true, { hasDemo: false, dataDir })
  await measure(await openCallSession(local), uids, 'disk')
  await local.stop()

  const began = performance.now()
  const env = { ...s3.env, ARCHIVE_URL: s3.urlOf('bench') }
  const server = await startServer(true, { hasDemo: false, dataDir, env })
  try {
    const ask = await openCallSession(server)
    while ((await handedIn(ask)) < cameras * minutes) await after(50)
    const seconds = (performance.now() - began) / 1000
    const rate = (cameras * minutes) / seconds
    print(
      `handed in: ${seconds.toFixed(1)} s with the start, ${rate.toFixed(1)} chunks a second (${(rate * 15).toFixed(0)} MB/s)`,
    )
    await measure(ask, uids, 'bucket')
  } finally {
    await server.stop()
  }
} finally {
  await s3.remove()
  rmSync(dataDir, { recursive: true, force: true })
}
