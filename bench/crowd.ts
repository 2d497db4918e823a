import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { hourFolder, streamFolder } from '../server/archive/files.ts'
import { buildServer } from '../server/app.ts'
import { boxesIn } from '../server/media/boxes.ts'
import { rooms } from '../server/rooms.ts'
import { openDatabase } from '../server/store/database.ts'

export const streams = 10_000
export const segments = 1_000_000
/** The stream that has a whole week, with a gap of half a minute every six hours; the others share the rest of the segments. */
export const weekly = 'camera-0'
export const week = 7 * 86_400_000
export const viewer = 'viewer'
/** The viewer may see one stream in so many. */
const seenOf = 4

const segmentMs = 2000
const hour = 3_600_000
const gapMs = 30_000
const places = ['Gate', 'Yard', 'Roof', 'Warehouse', 'Lobby', 'Въезд', 'Двор', 'Склад']

/** The beginning of a real recording, which every run refers to. */
const initBytes = (): Buffer => {
  const { stdout } = spawnSync('ffmpeg', [
    '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=1', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p',
    '-f', 'mp4', '-movflags', '+cmaf+frag_keyframe+empty_moov+delay_moov+default_base_moof', 'pipe:1',
  ])
  const end = boxesIn(stdout).find(({ type }) => type === 'moov')?.end
  if (end === undefined) throw new Error('ffmpeg made no init')
  return stdout.subarray(0, end)
}

const addStreams = (db: DatabaseSync, now: number): void => {
  const insert = db.prepare(
    `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand, is_paused, owner, created_at, needle)
     VALUES (?, ?, ?, ?, ?, '', 1, -1, ?, ?, NULL, ?, ?)`,
  )
  for (let index = 0; index < streams; index += 1) {
    const name = `${places[index % places.length]} ${streams - index}`
    const source = `rtsp://192.0.2.${index % 250}/live/${index}`
    const tags = index % 5 === 0 ? [] : [`Building ${index % 37}`, `Floor ${index % 6}`]
    const location = `Site ${index % 90}`
    const needle = [name, source, ...tags, location].join('\n').toLowerCase()
    const isPaused = index % 2
    insert.run(`camera-${index}`, name, source, JSON.stringify(tags), location, 1 - isPaused, isPaused, now - index * 60_000, needle)
  }
}

const addViewer = (db: DatabaseSync): void => {
  db.prepare(
    `INSERT INTO users (login, email, full_name, language, is_admin, max_stream_creation, is_managed, is_blocked, password_hash, must_change_password, created_at)
     SELECT '${viewer}', '', '', '', 0, 0, 0, 0, password_hash, 0, created_at FROM users`,
  ).run()
  const grant = db.prepare('INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES (?, ?, 1, 1, 0)')
  for (let index = 0; index < streams; index += seenOf) grant.run(viewer, `camera-${index}`)
}

/** One file an hour, of which the server only looks whether it is there. */
const makeFile = (dataDir: string, uid: string, file: string): void => {
  mkdirSync(join(streamFolder(dataDir, uid), file.slice(0, 10)), { recursive: true })
  writeFileSync(join(streamFolder(dataDir, uid), file), '')
}

const addSegments = (db: DatabaseSync, dataDir: string, until: number): void => {
  const init = initBytes()
  const open = db.prepare('INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2)')
  const addRun = db.prepare("INSERT INTO runs (recording, init, codecs, width, height, has_sound) VALUES (?, ?, 'avc1.42c01e', 640, 360, 0)")
  const insert = db.prepare(
    `INSERT INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
     VALUES (?, ?, ?, 2, ?, ?, 0, 100000, ?, ?)`,
  )
  const fill = (uid: string, count: number) => {
    const recording = Number(open.run(uid).lastInsertRowid)
    let run = 0
    let before = 0
    for (let index = 0; index < count; index += 1) {
      const start = until - (count - index) * segmentMs
      const isInGap = uid === weekly && start % (6 * hour) < gapMs
      if (isInGap) continue
      if (start - before > segmentMs) run = Number(addRun.run(recording, init).lastInsertRowid)
      before = start
      const file = `${hourFolder(start)}/hour.m4s`
      if (index === 0 || start % hour < segmentMs || start - gapMs - segmentMs < start - (start % hour)) makeFile(dataDir, uid, file)
      insert.run(recording, start, start + segmentMs, index * 2, run, file, index * 100_000)
    }
  }
  fill(weekly, week / segmentMs)
  const each = Math.ceil((segments - week / segmentMs) / (streams - 1))
  for (let index = 1; index < streams; index += 1) fill(`camera-${index}`, each)
}

/** A data folder with 10,000 streams, none of which wants a source, a million segments, an administrator and a viewer of a quarter of them. */
export async function makeCrowd(dataDir: string, administrator: { login: string; password: string }): Promise<{ until: number }> {
  const app = await buildServer({ dataDir, distDir: dataDir, rooms })
  await app.inject({
    method: 'POST', url: '/v1/system/unlock', headers: { origin: 'http://localhost', host: 'localhost', 'content-type': 'application/json' },
    payload: JSON.stringify(administrator),
  })
  await app.close()
  const db = openDatabase(join(dataDir, 'sightline.db'))
  const until = Math.floor(Date.now() / hour) * hour
  db.exec('BEGIN')
  addStreams(db, Date.now())
  addViewer(db)
  addSegments(db, dataDir, until)
  db.exec('COMMIT')
  db.close()
  return { until }
}
