import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { packTable } from '../server/archive/format/chunk-table.ts'
import { chunkFile, streamFolder } from '../server/storage/folders.ts'

/** Consecutive segments of equal duration. */
export type Filling = {
  recording: number
  run: number
  from: number
  segments: number
  segmentMs: number
  bytes: number
  /** Also creates empty files, as a server looks for them at its start. */
  files?: { dataDir: string; uid: string }
}

const chunkMs = 60_000
const timescale = 90_000

/** Adds index rows of an archive, in chunks of a minute. */
export const fillChunks = (db: DatabaseSync, filling: Filling): void => {
  const { recording, run, from, segments, segmentMs, bytes, files } = filling
  const each = Math.max(1, Math.floor(chunkMs / segmentMs))
  const insert = db.prepare(
    'INSERT INTO chunks (recording, start, finish, run, bytes, segments) VALUES (?, ?, ?, ?, ?, ?)',
  )
  for (let first = 0; first < segments; first += each) {
    const start = from + first * segmentMs
    const made = Array.from({ length: Math.min(each, segments - first) }, (_, index) => ({
      start: start + index * segmentMs,
      finish: start + (index + 1) * segmentMs,
      duration: segmentMs / 1000,
      mediaStart: ((first + index) * segmentMs) / 1000,
      offset: 1000 + index * bytes,
      bytes,
    }))
    const finish = start + made.length * segmentMs
    insert.run(recording, start, finish, run, made.length * bytes, packTable(made, timescale))
    if (files === undefined) continue
    const path = join(streamFolder(files.dataDir, files.uid), chunkFile(start))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  db.prepare(
    'UPDATE recordings SET bytes = (SELECT coalesce(sum(bytes), 0) FROM chunks WHERE recording = ?1) WHERE id = ?1',
  ).run(recording)
}
