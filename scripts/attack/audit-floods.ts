import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { entries, totalOf } from './audit.ts'
import { call } from './calls.ts'
import { addPerson, addStream, grant, recordedMs } from './people.ts'
import { openTarget, ownFolder, untilHolds, type Attack, type Scene } from './scene.ts'
import { callerOf } from './space.ts'

const olderEntries = 98_500
const floodCalls = 6000

/**
 * A database of an older version with a nearly full audit log: one entry of the administrator, then only entries of one
 * viewer.
 */
const leaveOldLog = (dataDir: string): void => {
  const db = new DatabaseSync(join(dataDir, 'sightline.db'))
  db.exec(`CREATE TABLE migrations (concern TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
    INSERT INTO migrations VALUES ('audit', 1);
    CREATE TABLE audit_logs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time INTEGER NOT NULL, login TEXT NOT NULL COLLATE NOCASE, action TEXT NOT NULL,
      target TEXT NOT NULL, ip TEXT NOT NULL, outcome TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_logs_time ON audit_logs (time);
    BEGIN`)
  const insert = db.prepare(
    'INSERT INTO audit_logs (time, login, action, target, ip, outcome) VALUES (?, ?, ?, ?, ?, ?)',
  )
  insert.run(Date.now() - 3_600_000, 'admin', 'user.create', 'the-one-that-counts', '192.0.2.1', 'ok')
  for (let index = 0; index < olderEntries; index += 1) {
    insert.run(Date.now() - 3_000_000, 'viewer', 'archive.view', `x ${index}`, '192.0.2.2', 'ok')
  }
  db.exec('COMMIT')
  db.close()
}

/** Makes `count` calls, twenty at a time, for some seconds at most; returns how many were made. */
const flood = async (count: number, seconds: number, ask: (index: number) => Promise<unknown>): Promise<number> => {
  let next = 0
  const end = Date.now() + seconds * 1000
  const worker = async () => {
    while (next < count && Date.now() < end) await ask((next += 1))
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  return next
}

const viewerFlood = async (scene: Scene): Promise<void> => {
  const dataDir = ownFolder(scene)
  leaveOldLog(dataDir)
  const { target, admin } = await openTarget(scene, { dataDir })
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  const viewer = await addPerson(target, admin, 'viewer')
  await grant(admin, uid, 'viewer', { canViewArchive: true })
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 3000, 60)
  const began = Date.now()
  const isKept = async () =>
    JSON.stringify(await entries(admin, { login: 'admin', action: 'user.create' }, 2)).includes('the-one-that-counts')
  const wasKept = await isKept()
  const done = await flood(floodCalls, 120, (index) => {
    const query = new URLSearchParams({
      start_time: new Date(began - 50_000_000 + index).toISOString(),
      end_time: new Date(began + 60_000 + index).toISOString(),
    })
    return viewer.ask('GET', `/v1/stream/${uid}/archive/recorded.m3u8?${query}`, { timeoutMs: 10_000 })
  })
  const [kept, theirs] = [await isKept(), await totalOf(admin, { login: 'viewer' })]
  scene.note(
    `a viewer floods a log of ${olderEntries + 1} entries, ${done} calls`,
    `the administrator’s entry ${kept ? 'is still there' : wasKept ? 'is pushed out' : 'was gone at once'}; ` +
      `${theirs} of the viewer’s are kept`,
    kept,
  )
}

const shareFlood = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  const junk = (index: number) => ({ 'share-token': `junk-${index}` })
  const done = await flood(1000, 60, (index) =>
    call(
      target.origin(),
      `/v1/stream/${index % 2 === 0 ? uid : `forged-${index}`}` +
        `/archive/recorded.m3u8?start_time=2026-11-21T08:00:00.000Z&end_time=2026-11-21T09:00:0${index % 10}.000Z`,
      { headers: junk(index), from: callerOf(scene.space, index) },
    ),
  )
  await flood(500, 60, (index) =>
    call(target.origin(), `/v1/stream/pause/forged-${index}`, {
      method: 'POST',
      headers: junk(index),
      from: callerOf(scene.space, index),
    }),
  )
  const log = await entries(admin, {}, 3)
  const forged = log.filter((entry) => /forged|share/.test(JSON.stringify(entry))).length
  scene.note(
    `${done + 500} calls of nobody with a junk share-token`,
    forged === 0
      ? 'leave no entry'
      : `${forged} of the ${log.length} newest entries are theirs, with targets of their choice`,
    forged === 0,
  )
}

export const auditFloodAttacks: readonly Attack[] = [
  { name: 'audit: a viewer’s flood', run: viewerFlood },
  { name: 'audit: a junk share-token’s flood', run: shareFlood },
]
