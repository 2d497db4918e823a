import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { startCamera } from './cameras.ts'
import { addStream, needed, recordedMs, signInAsAdministrator, type Person } from './people.ts'
import { openTarget, ownFolder, secondsText, untilHolds, type Attack, type Scene } from './scene.ts'
import type { Target } from './target.ts'

const filesIn = (dataDir: string, uid: string): string[] => {
  const folder = join(dataDir, 'archive', uid)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

const chunksIn = (dataDir: string, uid: string): string[] =>
  filesIn(dataDir, uid).filter((name) => name.endsWith('.mp4'))

/** Waits until so many seconds of a stream are recorded, from a minute before `since` on. */
export const untilRecorded = (
  by: Person,
  uid: string,
  seconds: number,
  since = Date.now(),
): Promise<number | undefined> =>
  untilHolds(async () => (await recordedMs(by, uid, since - 60_000, Date.now())) > seconds * 1000, seconds + 60)

const hour = 3_600_000

const withoutPurge = async (scene: Scene): Promise<void> => {
  const clockFile = join(ownFolder(scene), 'clock')
  writeFileSync(clockFile, '0')
  const { target, admin } = await openTarget(scene, { preload: { module: 'clock.ts', file: clockFile } })
  const uid = await addStream(admin, 'Gate', 'demo:gate', { depthHours: 1 })
  await untilRecorded(admin, uid, 6)
  needed(await admin.ask('DELETE', `/v1/stream/${uid}`))
  const left = chunksIn(target.dataDir, uid).length
  await target.stop()
  writeFileSync(clockFile, String(3 * hour))
  await target.start()
  const gone = await untilHolds(() => chunksIn(target.dataDir, uid).length === 0, 75, 1000)
  scene.note(
    'a stream of one hour’s depth deleted without purge, three hours later',
    gone === undefined
      ? `${chunksIn(target.dataDir, uid).length} of ${left} chunks are still on disk`
      : `its ${left} chunks are gone`,
    gone !== undefined && left > 0,
  )
}

const copyDatabase = (dataDir: string, to: string): void => {
  for (const name of ['sightline.db', 'sightline.db-wal', 'sightline.db-shm']) {
    rmSync(join(to, name), { force: true })
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(to, name))
  }
}

const restored = async (scene: Scene): Promise<void> => {
  const backup = ownFolder(scene)
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilRecorded(admin, uid, 5)
  await target.stop()
  copyDatabase(target.dataDir, backup)
  await target.start()
  const by = await signInAsAdministrator(target)
  const began = Date.now()
  await untilRecorded(by, uid, 15, began)
  await target.stop()
  const before = chunksIn(target.dataDir, uid)
  copyDatabase(backup, target.dataDir)
  await target.start()
  const again = await signInAsAdministrator(target)
  await after(5000)
  const kept = new Set(chunksIn(target.dataDir, uid))
  const lost = before.filter((name) => !kept.has(name)).length
  const played = await recordedMs(again, uid, began, began + 12_000)
  scene.note(
    'a database restored from before the last recordings',
    `${lost} of ${before.length} whole chunks were deleted; ${(played / 1000).toFixed(0)} of the 12 s ` +
      `since then can be played`,
    lost === 0 && played > 8000,
  )
}

/**
 * Simulates a power cut: removes from a stopped server's folder what wasn't synced. `synced`: what
 * scripts/attack/syncs.ts has listed. Returns the number of removed files.
 */
const cutPower = (target: Target, synced: ReadonlySet<string>): number => {
  const folder = join(target.dataDir, 'archive')
  let lost = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || synced.has(path)) continue
    rmSync(path)
    lost += 1
  }
  // In WAL mode with synchronous=NORMAL, commits are synced by the next checkpoint: those since the last one are lost.
  rmSync(join(target.dataDir, 'sightline.db-wal'), { force: true })
  rmSync(join(target.dataDir, 'sightline.db-shm'), { force: true })
  return lost
}

const powerCut = async (scene: Scene): Promise<void> => {
  const list = join(ownFolder(scene), 'synced')
  writeFileSync(list, '')
  const { target, admin: first } = await openTarget(scene, { preload: { module: 'syncs.ts', file: list } })
  const uid = await addStream(first, 'Gate', 'demo:gate')
  // Stopping makes a checkpoint, so the stream itself is synced.
  await target.stop()
  await target.start()
  const admin = await signInAsAdministrator(target)
  const began = Date.now()
  await untilRecorded(admin, uid, 12, began)
  const listed = await recordedMs(admin, uid, began, Date.now())
  await target.stop(true)
  const synced = new Set(readFileSync(list, 'utf8').split('\n'))
  const all = filesIn(target.dataDir, uid).length
  const unsynced = cutPower(target, synced)
  await target.start()
  const by = await signInAsAdministrator(target)
  await after(5000)
  const isThere = (await by.ask('GET', `/v1/stream/${uid}`)).status === 200
  const left = isThere ? await recordedMs(by, uid, began, began + listed) : 0
  const result =
    `${unsynced} of ${all} files weren’t synced with their names and are lost; ` +
    `of ${(listed / 1000).toFixed(0)} s that were recorded ${(left / 1000).toFixed(0)} s are ` +
    `left${isThere ? '' : ' (the stream’s own row is lost)'}`
  scene.note(
    'a power cut: SIGKILL, then what no fsync of file and folder had brought to the disk is dropped, ' +
      'and all commits since the last checkpoint',
    result,
    listed - left < 4000,
  )
}

const clockBack = async (scene: Scene): Promise<void> => {
  const clockFile = join(ownFolder(scene), 'clock')
  writeFileSync(clockFile, String(3 * hour))
  const { target, admin } = await openTarget(scene, { preload: { module: 'clock.ts', file: clockFile } })
  // Not a demo camera, which has the time from ffmpeg.
  const camera = await startCamera(scene.space)
  scene.defer(camera.close)
  const uid = await addStream(admin, 'Gate', camera.url)
  await untilHolds(
    async () => (await recordedMs(admin, uid, Date.now() + 3 * hour - 60_000, Date.now() + 3 * hour)) > 6000,
    60,
  )
  writeFileSync(clockFile, '0')
  const stepped = Date.now()
  const seconds = await untilHolds(
    async () => (await recordedMs(admin, uid, stepped - 1000, Date.now() + 2000)) > 3000,
    60,
  )
  const log = (await admin.ask('GET', `/v1/stream/${uid}/logs`)).body.toString()
  const warns = /"level":"(?:warn|error)"[^}]*clock|clock[^}]*"level":"(?:warn|error)"/i.test(log)
  const kept = await recordedMs(admin, uid, stepped + 3 * hour - 60_000, stepped + 3 * hour + 60_000)
  scene.note(
    'a clock that steps back three hours while a camera records',
    `at the true time again after ${secondsText(seconds, 60)}` +
      `${warns ? ', with a warning' : ', without a warning'}; ${(kept / 1000).toFixed(0)} s of before are kept`,
    seconds !== undefined && warns && kept > 4000 && target.isUp(),
  )
}

export const archiveAttacks: readonly Attack[] = [
  { name: 'archive: deleting without purge', run: withoutPurge },
  { name: 'archive: an older database restored', run: restored },
  { name: 'archive: a power cut', run: powerCut },
  { name: 'archive: the clock steps back', run: clockBack },
]
