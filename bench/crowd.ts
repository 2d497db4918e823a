import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { accessSteps } from '../server/access/tables.ts'
import { fillChunks } from '../scripts/fill-chunks.ts'
import { archiveSteps } from '../server/archive/repair/tables.ts'
import { boxesIn } from '../server/media/boxes.ts'
import { openDatabase } from '../server/store/sqlite.ts'
import { openStore, type Store } from '../server/store/store.ts'
import { createAccounts } from '../server/users/account-store.ts'
import { createTokens } from '../server/users/tokens.ts'
import { manyStreams, seedStreams } from './many-streams.ts'

const streams = 10_000
const segments = 1_000_000
/**
 * The stream with a whole week, with a gap of half a minute every six hours; the others share the remaining segments.
 */
export const weekly = 'cam-00001'
export const week = 7 * 86_400_000
export const viewer = 'viewer'
const segmentMs = 2000
const hour = 3_600_000
const gapMs = 30_000

/** The init of a real recording, used by every run. */
const initBytes = (): Buffer => {
  const picture = '-f lavfi -i testsrc2=s=640x360:r=25:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
  const container = '-f mp4 -movflags +cmaf+frag_keyframe+empty_moov+delay_moov+default_base_moof'
  const { stdout } = spawnSync('ffmpeg', `-nostdin -v error ${picture} ${container} pipe:1`.split(' '))
  const end = boxesIn(stdout).find(({ type }) => type === 'moov')?.end
  if (end === undefined) throw new Error('ffmpeg made no init')
  return stdout.subarray(0, end)
}

/** Adds a user who may view these streams with their archive, by a condition on their rows; returns an API token. */
export const addViewer = async (store: Store, streams: string): Promise<string> => {
  await createAccounts(store, Date.now).create({
    login: viewer,
    email: '',
    fullName: '',
    language: '',
    isAdmin: false,
    maxStreamCreation: 0,
    isManaged: false,
    isBlocked: false,
    passwordHash: '',
    mustChangePassword: false,
  })
  await store.run(
    `INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin)
     SELECT '${viewer}', uid, 1, 1, 0 FROM streams WHERE ${streams}`,
  )
  return (await createTokens(store, Date.now).create(viewer, 'bench', null)).token
}

const addSegments = (db: DatabaseSync, dataDir: string, until: number): void => {
  const init = initBytes()
  const open = db.prepare(
    'INSERT INTO recordings (uid, next_sequence, next_discontinuity, target_duration) VALUES (?, 0, 0, 2)',
  )
  const addRun = db.prepare(
    `INSERT INTO runs (recording, init, codecs, width, height, has_sound, first)
     VALUES (?, ?, 'avc1.42c01e', 640, 360, 0, ?)`,
  )
  const fill = (uid: string, count: number) => {
    const recording = Number(open.run(uid).lastInsertRowid)
    let from = until - count * segmentMs
    while (from < until) {
      const next = uid === weekly ? Math.min(until, (Math.floor(from / (6 * hour)) + 1) * 6 * hour) : until
      const run = Number(addRun.run(recording, init, from).lastInsertRowid)
      const segments = Math.floor((next - from) / segmentMs)
      fillChunks(db, { recording, run, from, segments, segmentMs, bytes: 100_000, files: { dataDir, uid } })
      from = next + gapMs
    }
  }
  fill(weekly, week / segmentMs)
  const each = Math.ceil((segments - week / segmentMs) / (streams - 1))
  for (const { uid } of manyStreams(streams).slice(1)) fill(uid, each)
}

/**
 * Fills a data folder with 10,000 streams, a million segments that end at `until`, and a viewer of a quarter of the
 * streams; returns the viewer's token.
 */
export async function seedCrowd(dataDir: string, until: number): Promise<string> {
  await seedStreams(dataDir, streams)
  const file = join(dataDir, 'sightline.db')
  const store = await openStore(
    file,
    undefined,
    new Map([
      ['access', accessSteps],
      ['archive', archiveSteps],
    ]),
  )
  const db = openDatabase(file)
  db.exec('BEGIN')
  addSegments(db, dataDir, until)
  db.exec('COMMIT')
  db.close()
  const token = await addViewer(store, 'rowid % 4 = 0')
  await store.close()
  return token
}
