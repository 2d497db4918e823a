import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { fillChunks } from '../fill-chunks.ts'
import { untilRecorded } from './archive.ts'
import { jsonOf, member } from './calls.ts'
import { addStream, needed, signInAsAdministrator } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'

const hour = 3_600_000
const bigSegments = 2_500_000
const segmentMs = 2000

/** Adds two months of chunks to a stream, with a gap of a month in the middle; the files are empty. */
const fillIndex = (dataDir: string, uid: string, to: number): { from: number; gap: number } => {
  const from = to - bigSegments * segmentMs
  const gap = from + (bigSegments / 2) * segmentMs
  const db = new DatabaseSync(join(dataDir, 'sightline.db'))
  db.exec('PRAGMA synchronous = OFF')
  const found =
    db
      .prepare(
        'SELECT recordings.id AS recording, max(runs.id) AS run FROM recordings JOIN runs ON runs.recording ' +
          '= recordings.id WHERE uid = ?',
      )
      .get(uid) ?? {}
  const [recording, run] = [Number(found['recording']), Number(found['run'])]
  const half = { recording, run, segments: bigSegments / 2, segmentMs, bytes: 1000, files: { dataDir, uid } }
  db.exec('BEGIN')
  fillChunks(db, { ...half, from: from - 30 * 24 * hour })
  fillChunks(db, { ...half, from: gap })
  db.exec('COMMIT')
  db.close()
  return { from, gap }
}

/** A query may take so long, and sweeps and purges may delay other calls four times as long. */
const maxMs = 50

const bigIndex = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await untilRecorded(admin, uid, 3)
  needed(await admin.ask('POST', `/v1/stream/pause/${uid}`))
  await target.stop()
  const { from, gap } = fillIndex(target.dataDir, uid, Date.now() - 600_000)
  await target.start()
  const by = await signInAsAdministrator(target)
  const health = scene.watch(target, 20)
  const period = member(jsonOf(await by.ask('GET', `/v1/stream/${uid}/archive/stats`)), 'period')
  const instant = (at: number) => encodeURIComponent(new Date(at).toISOString())
  const span = (name: string, at: number, ms = hour) =>
    `/v1/stream/${uid}/archive/${name}?start_time=${instant(at)}&end_time=${instant(at + ms)}`
  const year9998 = Date.parse('9998-12-31T00:00:00Z')
  const inGap = gap - 86_400_000 * 15
  const asked: [string, string][] = [
    ['ranges from 9998', span('ranges', year9998)],
    ['ranges in a gap', span('ranges', inGap)],
    ['ranges before all', span('ranges', from - 86_400_000 * 300)],
    ['playlist from 9998', span('index.m3u8', year9998)],
    ['playlist in a gap', span('index.m3u8', inGap)],
    ['recorded in a gap', span('recorded.m3u8', inGap)],
    ['days from 9998', span('available-days', year9998)],
    ['days in a gap', span('available-days', inGap, 86_400_000 * 40)],
    ['download in a gap', span('download', inGap)],
    [
      'annotations from 9998',
      `/v1/annotations?streamId=${uid}&from=${instant(year9998)}&to=${instant(year9998 + hour)}`,
    ],
    ['preview from 9998', `/v1/stream/preview?stream_id=${uid}&time=${instant(year9998)}`],
    ['preview in a gap', `/v1/stream/preview?stream_id=${uid}&time=${instant(inGap)}`],
    ['stats', `/v1/stream/${uid}/archive/stats`],
    ['an hour of ranges', span('ranges', gap + hour)],
  ]
  const times: [string, number][] = []
  for (const [name, path] of asked) {
    const tries = [await by.ask('GET', path), await by.ask('GET', path), await by.ask('GET', path)]
    times.push([name, Math.min(...tries.map(({ ms }) => ms))])
  }
  const slow = times.filter(([, ms]) => ms > maxMs)
  const worst = times.toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0]
  scene.note(
    `${asked.length} queries of an index of ${bigSegments / 1e6} million segments ` +
      `(${JSON.stringify(period).slice(0, 40)}…)`,
    slow.length === 0
      ? `slowest ${worst[0]}: ${Math.round(worst[1])} ms`
      : slow.map(([name, ms]) => `${name} ${Math.round(ms)} ms`).join(', '),
    slow.length === 0,
  )

  const began = Date.now()
  await after(65_000)
  const swept = health.since(began)
  scene.note('a minute’s sweep over it', swept.summary, swept.worst < 4 * maxMs)

  const purging = Date.now()
  const purge = await by.ask('DELETE', `/v1/stream/${uid}?purge=true`, { timeoutMs: 120_000 })
  await after(500)
  const seen = health.since(purging)
  scene.note(
    'deleting it with purge',
    `answered ${purge.status} after ${(purge.ms / 1000).toFixed(1)} s; ${seen.summary}`,
    purge.status < 300 && seen.worst < 4 * maxMs,
  )
}

export const bigIndexAttacks: readonly Attack[] = [{ name: 'archive: a big index', run: bigIndex, limitSeconds: 400 }]
