import { linkSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import * as z from 'zod/mini'
import { StoredRow } from '../../server/archive/index/chunk-rows.ts'
import { dayMs, hourMs, minuteMs } from '../../server/durations.ts'
import { chunkFile, streamFolder } from '../../server/storage/folders.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import type { Month } from '../month-calls.ts'
import { openCallSession, startServer } from '../server.ts'
import { addCameras, siteCamera, siteEnvironment, untilAllRun } from './recording.ts'
import { startCameras, type Cameras } from './rtsp-cameras.ts'

export const cameraCount = 64
const days = 30
/** Older than the depth, for the first sweeps to delete. */
const overdueHours = 2
/** Until each camera has a chunk of a whole minute. */
const recordingMs = 2.5 * minuteMs
const rowsAtATime = 20_000
/** Between events of a camera. */
const eventMs = 10 * minuteMs

const Chunk = z.extend(StoredRow, { segments: z.instanceof(Uint8Array) })
const Bytes = z.object({ bytes: z.number() })

/** Repeats the longest chunk of each camera, as a hard link for each minute of the time before, with events. */
const backdate = (dataDir: string): Month & { indexBytes: number } => {
  const db = openDatabase(join(dataDir, 'sightline.db'))
  const ofEach = `SELECT recording, uid, start, max(finish - start) + start AS finish, run, chunks.bytes, volume, segments
    FROM chunks JOIN recordings ON recordings.id = recording GROUP BY recording`
  const longest = z.parse(z.array(Chunk), db.prepare(ofEach).all())
  const until = Math.min(...longest.map(({ start }) => start)) - 2 * minuteMs
  const minutes = (days * 24 + overdueHours) * 60
  const insert = db.prepare(
    'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (?, ?, ?, ?, ?, ?)',
  )
  db.exec('BEGIN')
  // Oldest first, as in recording, so that the pages of the index are filled in the same way.
  for (let minute = minutes, rows = 0; minute > 0; minute -= 1) {
    const start = until - minute * minuteMs
    for (const chunk of longest) {
      const folder = streamFolder(dataDir, chunk.uid)
      const file = join(folder, chunkFile(start))
      if (minute === minutes || start % hourMs < minuteMs) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      linkSync(join(folder, chunkFile(chunk.start)), file)
      const finish = start + Math.min(minuteMs, chunk.finish - chunk.start)
      insert.run(chunk.recording, start, finish, chunk.run, chunk.bytes, chunk.segments)
    }
    rows += longest.length
    if (rows > rowsAtATime) {
      rows = 0
      db.exec('COMMIT; BEGIN')
    }
  }
  db.exec('COMMIT')
  const add = db.prepare('UPDATE recordings SET bytes = bytes + ? WHERE id = ?')
  for (const { recording, bytes } of longest) add.run(bytes * minutes, recording)
  const addEvents = db.prepare(
    `WITH RECURSIVE times (time) AS (SELECT ?2 UNION ALL SELECT time + ${eventMs} FROM times WHERE time < ?3)
     INSERT INTO annotations (uid, type, time, time_end, label, source)
     SELECT ?1, 'event', time, time + 5000, 'person', 'detector' FROM times`,
  )
  for (const { uid } of longest) addEvents.run(uid, until - minutes * minuteMs, until - eventMs)
  const sized = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '%chunks%'"
  const { bytes: indexBytes } = z.parse(Bytes, db.prepare(sized).get())
  db.close()
  return { from: until - days * dayMs, until, indexBytes }
}

/** Records until every camera has a whole chunk; returns the cameras' uids. */
const record = async (dataDir: string, cameras: Cameras): Promise<string[]> => {
  const server = await startServer(true, { hasDemo: false, dataDir, env: siteEnvironment })
  try {
    const site = { ask: await openCallSession(server), cameras }
    const uids: string[] = []
    await addCameras(site, uids, cameraCount, days * 24)
    await untilAllRun(site, cameraCount)
    await after(recordingMs)
    return uids
  } finally {
    await server.stop()
  }
}

/** A data folder with a month of 64 cameras, which still run, and how many bytes its index has. */
export type MonthArchive = { uids: readonly string[]; archived: Month; indexBytes: number }

/** Records a minute of each camera and repeats it, then runs `work` beside the cameras. */
export const withMonth = async <Result>(
  dataDir: string,
  work: (month: MonthArchive) => Promise<Result>,
): Promise<Result> => {
  const cameras = await startCameras(siteCamera)
  try {
    const uids = await record(dataDir, cameras)
    const { indexBytes, ...archived } = backdate(dataDir)
    process.stdout.write(`an index of ${(indexBytes / 1e6).toFixed(0)} MB\n`)
    return await work({ uids, archived, indexBytes })
  } finally {
    cameras.stop()
  }
}
