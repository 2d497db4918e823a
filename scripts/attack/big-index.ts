import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { records } from './archive.ts'
import { jsonOf, member } from './calls.ts'
import { addStream, needed, signInAsAdministrator } from './people.ts'
import { besiege, type Attack, type Scene } from './scene.ts'

const hour = 3_600_000
const bigSegments = 2_500_000

/**
 * Gives a stream two months of segments in the index, with a gap of a year before them and one in the middle; none of
 * their files.
 */
const fillIndex = (dataDir: string, uid: string, to: number): { from: number; gap: number } => {
  const from = to - bigSegments * 2000
  const gap = from + (bigSegments / 2) * 2000
  const db = new DatabaseSync(join(dataDir, 'sightline.db'))
  db.exec('PRAGMA synchronous = OFF')
  const { recording, run } =
    db
      .prepare(
        'SELECT recordings.id AS recording, max(runs.id) AS run FROM recordings JOIN runs ON runs.recording ' +
          '= recordings.id WHERE uid = ?',
      )
      .get(uid) ?? {}
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${bigSegments - 1})
     INSERT OR IGNORE INTO segments (recording, start, finish, duration, media_start, run, passing, bytes, file, place)
     SELECT ?1, ?2 + i * 2000 - (i < ${bigSegments / 2}) * 86400000 * 30,
       ?2 + i * 2000 + 2000 - (i < ${bigSegments / 2}) * 86400000 * 30, 2, i * 2, ?3, 0, 1000,
       strftime('%Y%m%d%H', (?2 + i * 2000) / 1000, 'unixepoch') || '/x.m4s', i * 1000 FROM n`,
  ).run(Number(recording), from, Number(run))
  db.close()
  return { from, gap }
}

/** What a question may take, and hold everybody else up for, milliseconds. */
const mostMs = 50

const bigIndex = async (scene: Scene): Promise<void> => {
  const { target, admin } = await besiege(scene)
  const uid = await addStream(admin, 'Gate', 'demo:gate')
  await records(admin, uid, 3)
  needed(await admin.ask('POST', `/v1/stream/pause/${uid}`))
  await target.stop()
  const { from, gap } = fillIndex(target.dataDir, uid, Date.now() - 600_000)
  // So that reconcile finds the files of the rows.
  const db = new DatabaseSync(join(target.dataDir, 'sightline.db'), { readOnly: true })
  for (const { file } of db.prepare('SELECT DISTINCT file FROM segments').all()) {
    const path = join(target.dataDir, 'archive', uid, String(file))
    mkdirSync(join(path, '..'), { recursive: true })
    if (!existsSync(path)) writeFileSync(path, '')
  }
  db.close()
  await target.start()
  const by = await signInAsAdministrator(target)
  const health = scene.watch(target, 20)
  const total = () => member(jsonOf(admin_), 'period')
  const admin_ = await by.ask('GET', `/v1/stream/${uid}/archive/stats`)
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
  const slow = times.filter(([, ms]) => ms > mostMs)
  const worst = times.toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0]
  scene.say(
    `${asked.length} questions about an index of ${bigSegments / 1e6} million segments ` +
      `(${JSON.stringify(total()).slice(0, 40)}…)`,
    slow.length === 0
      ? `slowest ${worst[0]}: ${Math.round(worst[1])} ms`
      : slow.map(([name, ms]) => `${name} ${Math.round(ms)} ms`).join(', '),
    slow.length === 0,
  )

  const began = Date.now()
  await after(65_000)
  const swept = health.since(began)
  scene.say('a minute’s sweep over it', swept.words, swept.worst < 4 * mostMs)

  const purging = Date.now()
  const purge = await by.ask('DELETE', `/v1/stream/${uid}?purge=true`, { timeoutMs: 120_000 })
  await after(500)
  const seen = health.since(purging)
  scene.say(
    'deleting it with purge',
    `answered ${purge.status} after ${(purge.ms / 1000).toFixed(1)} s; ${seen.words}`,
    purge.status < 300 && seen.worst < 4 * mostMs,
  )
}

export const bigIndexAttacks: readonly Attack[] = [
  { item: '20', name: 'archive: a big index', run: bigIndex, limitSeconds: 400 },
]
