import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import { hourFolder, keepSegment, streamFolder, writeWhole } from '../../server/archive/files.ts'
import type { Run, Segment } from '../../server/archive/segment-index.ts'
import { createComposer, type Composer } from '../../server/demo/composer.ts'
import { scenes } from '../../server/demo/scenes.ts'
import { drawStills } from '../../server/demo/stills.ts'
import type { Init } from '../../server/media/fragments.ts'
import { startVideo, type VideoHarness } from './video.ts'

export const t0 = Date.parse('2026-11-21T07:59:50.000Z')
export const uid = 'door'
const row = {
  tags: [],
  location: '',
  marker: '',
  isArchived: true,
  depthHours: -1,
  isOnDemand: false,
  isPaused: true,
  owner: null,
  createdAt: 0,
}
const drawn = new Map<string, { init: Init; composer: Composer }>()

beforeAll(async () => {
  for (const name of ['gate', 'yard']) {
    const scene = scenes.get(name)
    if (scene === undefined) throw new Error(name)
    const stills = await drawStills(scene, t0 / 1000, new AbortController().signal)
    drawn.set(name, { init: stills.init, composer: createComposer(scene, stills) })
  }
})

export const camera = (name: string) => {
  const found = drawn.get(name)
  if (found === undefined) throw new Error(name)
  return found
}

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-mending-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const open = async (dataDir: string, addsAdmin = true): Promise<VideoHarness> => {
  const video = await startVideo({ dataDir, addsAdmin })
  await video.site.mended()
  return video
}

export const add = (video: VideoHarness, name = uid) =>
  video.site.add({
    ...row,
    uid: name,
    name,
    source: 'rtsp://192.0.2.1/x',
  })

/** Records as a camera is recorded: a run of segments of two seconds, some seconds after t0. */
export const record = async (
  { site: { index }, context: { dataDir } }: VideoHarness,
  from: number,
  to: number,
  of = uid,
  scene = 'gate',
): Promise<Run> => {
  const { init, composer } = camera(scene)
  const numbers = index.numbers(of) ?? index.open(of)
  const run = index.addRun(numbers.recording, init)
  numbers.nextDiscontinuity += 1
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const bytes = composer.fragment(start / 1000, 2, second - from)
    const file = `${hourFolder(start)}/${start}.m4s`
    numbers.nextSequence += 1
    const segment: Segment = {
      start,
      finish: start + 2000,
      duration: 2,
      mediaStart: second - from,
      run: run.id,
      bytes: bytes.length,
      file,
      offset: 0,
    }
    await keepSegment({ index, dataDir, uid: of }, { segment, run, numbers, expires: false }, [bytes])
  }
  return run
}

/** The same as the first version wrote it: the fragments alone. */
export const recordAsBefore = async (
  { site: { index }, context: { dataDir } }: VideoHarness,
  from: number,
  to: number,
  scene = 'gate',
): Promise<Run> => {
  const { init, composer } = camera(scene)
  const { recording } = index.open(uid)
  const run = index.addRun(recording, init)
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const bytes = composer.fragment(start / 1000, 2, second - from)
    const file = `${hourFolder(start)}/${start}.m4s`
    await writeWhole(join(streamFolder(dataDir, uid), file), [bytes])
    index.addPast(recording, [
      {
        start,
        finish: start + 2000,
        duration: 2,
        mediaStart: second - from,
        run: run.id,
        bytes: bytes.length,
        file,
        offset: 0,
      },
    ])
  }
  return run
}

/** All that the index knows but for the runs' ids, which are its own. */
export const known = ({ context: { db } }: VideoHarness): unknown[] =>
  db
    .prepare(
      `SELECT uid, start, finish, duration, media_start, passing, segments.bytes, file, place, key, hex(init) AS init
     FROM segments JOIN recordings ON recordings.id = segments.recording JOIN runs ON runs.id = run ORDER BY uid, start`,
    )
    .all()
    .map((each) => ({ ...each }))

export const numbersOf = ({ site: { index } }: VideoHarness) => {
  const { nextSequence, nextDiscontinuity, targetDuration } = index.open(uid)
  return { nextSequence, nextDiscontinuity, targetDuration }
}

export const pathOf = ({ context: { dataDir } }: VideoHarness, second: number): string => {
  const start = t0 + second * 1000
  return join(streamFolder(dataDir, uid), hourFolder(start), `${start}.m4s`)
}

export const forget = ({ context: { db } }: VideoHarness, from: number): void => {
  db.prepare('DELETE FROM segments WHERE start >= ?').run(t0 + from * 1000)
}

export const database = (dataDir: string): string => join(dataDir, 'sightline.db')
