import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fillChunks } from '../scripts/fill-chunks.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { schema } from '../server/schema.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import { openStore } from '../server/store/store.ts'

/**
 * Measures the time and memory to move a site from SQLite to PostgreSQL and back: `node bench/migrate.ts [cameras]
 * [days]`, by default the chunks of 64 cameras in a month.
 */
const cameras = Number(process.argv[2] ?? 64)
const days = Number(process.argv[3] ?? 30)
const segmentMs = 2000
const segments = (days * 86_400_000) / segmentMs
const rows = cameras * days * 1440
const t0 = Date.parse('2026-08-01T00:00:00.000Z')

const fill = async (file: string): Promise<void> => {
  const store = await openStore(file, undefined, schema)
  await store.close()
  const db = openDatabase(file)
  db.exec('BEGIN')
  for (let camera = 1; camera <= cameras; camera += 1) {
    db.exec(`
      INSERT INTO recordings (id, uid, next_sequence, next_discontinuity, target_duration)
        VALUES (${camera}, 'cam-${camera}', 0, 0, 2);
      INSERT INTO runs (id, recording, key, init, codecs, width, height, has_sound, first)
        VALUES (${camera}, ${camera}, 'a', x'00', 'avc1', 1, 1, 0, ${t0})`)
    fillChunks(db, { recording: camera, run: camera, from: t0, segments, segmentMs, bytes: 500_000 })
  }
  db.exec('COMMIT')
  db.close()
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const peakMegabytes = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

const migrate = async (dataDir: string, to: string, databaseUrl: string): Promise<void> => {
  const began = performance.now()
  const args = ['--disable-warning=ExperimentalWarning', 'server/main.ts', 'migrate', '--to', to, '--data-dir', dataDir]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, peakMegabytes(child.pid))), 100)
  const at = { indexes: Number.NaN, comparing: Number.NaN }
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'Making the indexes') at.indexes = performance.now()
    if (line === 'Comparing every row') at.comparing = performance.now()
  })
  const [code] = await once(child, 'close')
  clearInterval(watch)
  if (code !== 0) throw new Error(`migrate --to ${to} ended with ${code}`)
  const ended = performance.now()
  const seconds = (from: number, until: number) => ((until - from) / 1000).toFixed(1)
  const rate = Math.round(rows / ((at.indexes - began) / 1000))
  print(
    `to ${to}: ${seconds(began, ended)} s (rows ${seconds(began, at.indexes)} s, ${rate} a second; ` +
      `indexes ${seconds(at.indexes, at.comparing)} s; comparing ${seconds(at.comparing, ended)} s), ` +
      `${Math.round(peak)} MB at most`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
const [there, back] = [join(folder, 'there'), join(folder, 'back')]
mkdirSync(there)
const postgres = await startPostgres()
try {
  await fill(join(there, 'sightline.db'))
  print(`${rows} chunks, a file of ${Math.round(statSync(join(there, 'sightline.db')).size / 1e6)} MB`)
  await migrate(there, 'postgres', postgres.url)
  await migrate(back, 'sqlite', postgres.url)
} finally {
  await postgres.remove()
  rmSync(folder, { recursive: true, force: true })
}
