import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fillDisk } from '../fill-disk.ts'
import { call, jsonOf, member } from './calls.ts'
import { startCamera } from './cameras.ts'
import { atEnd } from './endings.ts'
import { addPerson, addStream, recorded, recordedMs, signInAsAdministrator, statusOf } from './people.ts'
import { openTarget, secondsText, untilHolds, type Attack, type Scene } from './scene.ts'

type Disk = { dataDir: string; fill: () => void; free: () => void }

/** A file system of its own, in memory; undefined where none may be mounted. */
const smallDisk = (scene: Scene, megabytes: number): Disk | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-attack-disk-'))
  if (
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' }).status !== 0
  ) {
    rmdirSync(folder)
    return undefined
  }
  const unmount = atEnd(() => {
    spawnSync('umount', ['-l', folder])
    rmdirSync(folder)
  })
  scene.defer(unmount)
  const ballast = join(folder, 'ballast')
  return {
    dataDir: join(folder, 'data'),
    fill: () => fillDisk(ballast),
    free: () => rmSync(ballast, { force: true }),
  }
}

const noMount = 'takes the right to mount a file system'
const fullSeconds = 30

const fullDisk = async (scene: Scene): Promise<void> => {
  const disk = smallDisk(scene, 400)
  if (disk === undefined) return scene.skip('a full disk', noMount)
  const { target, admin } = await openTarget(scene, { dataDir: disk.dataDir })
  // With keyframes so far apart, a timer dates the first frame of a connection.
  const camera = await startCamera(scene.space, { keyEvery: 75 })
  const uid = await addStream(admin, 'Door', camera.url)
  const demo = await addStream(admin, 'Gate', 'demo:gate')
  await untilHolds(
    async () =>
      (await statusOf(admin, uid)) === 'running' &&
      (await recordedMs(admin, demo, Date.now() - 60_000, Date.now())) > 4000,
    60,
  )
  // Fills freed space again during the attack.
  disk.fill()
  const refilling = setInterval(disk.fill, 300)
  const endRefilling = atEnd(() => clearInterval(refilling))
  const calls: string[] = []
  for (let second = 0; second < fullSeconds && target.isUp(); second += 10) {
    // Starts connections while there is no space for a row.
    camera.lose()
    await after(200)
    camera.comeBack()
    await after(9800)
    const answers = await Promise.all([
      call(target.origin(), '/v1/system/health'),
      admin.ask('GET', '/v1/streams'),
      admin.ask('POST', '/v1/mosaic', { body: { name: `m${second}`, columns: 1, rows: 1, cells: [] } }),
      admin.ask('GET', `/v1/stream/${demo}/archive/live.m3u8`),
      call(target.origin(), '/v1/sign-in', { method: 'POST', body: { name: 'nobody', password: 'x' } }),
    ])
    calls.push(answers.map(({ status }) => status).join(' '))
  }
  const isUp = target.isUp()
  const health = isUp ? jsonOf(await call(target.origin(), '/v1/system/health')) : undefined
  endRefilling()
  disk.free()
  scene.note(
    `a disk without a byte left for ${fullSeconds} s, a camera reconnecting meanwhile`,
    isUp
      ? `the server lives; health, list, a change, live, sign-in answered ${calls.at(-1)}`
      : `the server ended: ${target.ends[0]}`,
    isUp,
  )
  if (!isUp) return
  const warned = JSON.stringify(member(health, 'warnings') ?? [])
  scene.note('what health says of it', warned, warned.includes('ALLOC_DIR_DISK_SPACE'))
  const since = Date.now()
  const seconds = await untilHolds(async () => {
    const both = await Promise.all([uid, demo].map((each) => recordedMs(admin, each, since, Date.now() + 1000)))
    return both.every((ms) => ms > 1000)
  }, 90)
  scene.note('recording again once there is room', secondsText(seconds, 90), seconds !== undefined)
}

const heavySeconds = 60

const heavyStream = async (scene: Scene): Promise<void> => {
  // The reserve of a disk is 200 MB, so half of this is for recordings.
  const disk = smallDisk(scene, 420)
  if (disk === undefined) return scene.skip('one creator’s heavy stream', noMount)
  const { target, admin } = await openTarget(scene, { dataDir: disk.dataDir })
  const creator = await addPerson(target, admin, 'greedy', -1)
  const [quiet, heavy] = [await startCamera(scene.space), await startCamera(scene.space, { bitRate: 80_000_000 })]
  const uid = await addStream(admin, 'Door', quiet.url)
  await untilHolds(async () => (await recordedMs(admin, uid, Date.now() - 60_000, Date.now())) > 20_000, 90)
  const began = Date.now()
  const firstKept = async () => (await recorded(admin, uid, began - 120_000, Date.now()))[0]?.from
  const before = (await firstKept()) ?? began
  const created = await creator.ask('POST', '/v1/stream', {
    body: { name: 'Heavy', streamSource: heavy.url, archive: { isEnable: true, depthHours: -1 } },
  })
  // Retention sweeps every minute, and when there is no space for a segment.
  await after(heavySeconds * 1000 + 15_000)
  const [kept, lostMs] = [
    (await firstKept()) ?? Date.now(),
    Date.now() - began - (await recordedMs(admin, uid, began, Date.now())),
  ]
  const isKept = kept - before < 2000
  const begins = isKept ? 'where it did' : `${((kept - before) / 1000).toFixed(0)} s later`
  const missing = (Math.max(0, lostMs) / 1000).toFixed(0)
  const result = `the other stream’s archive begins ${begins}; ${missing} s of it aren’t recorded meanwhile`
  scene.note(
    `one creator’s stream of 80 Mbit/s for ${heavySeconds} s on a disk of 420 MB (answered ${created.status})`,
    result,
    isKept && lostMs < 10_000 && target.isUp(),
  )
}

/** An existing data folder with the modes of a common umask. */
const sharedFolder = async (scene: Scene): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-attack-'))
  scene.defer(atEnd(() => rmSync(dataDir, { recursive: true, force: true })))
  const first = await scene.start({ dataDir })
  const by = await signInAsAdministrator(first)
  const uid = await addStream(by, 'Gate', 'demo:gate')
  await untilHolds(async () => (await recordedMs(by, uid, Date.now() - 60_000, Date.now())) > 3000, 60)
  await first.stop()
  const all = () =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true }).map((entry) => ({
      path: join(entry.parentPath, entry.name),
      isFolder: entry.isDirectory(),
    }))
  writeFileSync(join(dataDir, 'of-before'), '')
  chmodSync(dataDir, 0o755)
  for (const { path, isFolder } of all()) chmodSync(path, isFolder ? 0o755 : 0o644)
  const second = await scene.start({ dataDir })
  const again = await signInAsAdministrator(second)
  await untilHolds(async () => (await recordedMs(again, uid, Date.now() - 10_000, Date.now())) > 3000, 60)
  const own = all().filter(({ path }) => !path.endsWith('of-before'))
  const open = own.filter(({ path }) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
  const folderMode = (statSync(dataDir).mode & 0o777).toString(8)
  // Files below a folder that others can't enter are protected.
  const isHeld = folderMode === '700' && open.every(({ path }) => !/\.db|key/.test(path))
  scene.note(
    'a data folder of 0755 with files of 0644 from before',
    `the folder is 0${folderMode}; ${open.length} of ${own.length} below it are open to others by themselves`,
    isHeld,
  )
}

export const diskAttacks: readonly Attack[] = [
  { name: 'disk: full', run: fullDisk },
  { name: 'disk: one creator’s heavy stream', run: heavyStream },
  { name: 'disk: a folder from before', run: sharedFolder },
]
