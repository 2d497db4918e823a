import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { createChunkWriter } from '../../server/archive/format/chunk-writer.ts'
import { chunkFile, hourFolder, streamFolder, writeWhole } from '../../server/storage/folders.ts'
import type { StreamArchive } from '../../server/archive/repair/repair-result.ts'
import { dropJournal } from '../../server/archive/format/recover.ts'
import { newRunKey, runOf, type Run } from '../../server/archive/format/run.ts'
import type { Chunk, Spool } from '../../server/archive/format/spool.ts'
import { createComposer, type Composer } from '../../server/demo/composer.ts'
import { scenes } from '../../server/demo/scenes.ts'
import { drawStills } from '../../server/demo/stills.ts'
import type { Init } from '../../server/media/fragments.ts'
import { startVideo, type VideoHarness } from './video.ts'
import { row } from './paused-stream.ts'

export const t0 = Date.parse('2026-11-21T07:59:50.000Z')
export const uid = 'door'

const draw = async (name: string): Promise<{ init: Init; composer: Composer }> => {
  const scene = scenes.get(name)
  if (scene === undefined) throw new Error(name)
  const stills = await drawStills(scene, t0 / 1000, new AbortController().signal)
  return { init: stills.init, composer: createComposer(scene, stills) }
}
const drawn = new Map<string, ReturnType<typeof draw>>()

/** Encodes a scene once in each process. */
export const camera = (name: string): ReturnType<typeof draw> => {
  const found = drawn.get(name) ?? draw(name)
  drawn.set(name, found)
  return found
}

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-repair-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const open = async (dataDir: string, addsAdmin = true): Promise<VideoHarness> => {
  const video = await startVideo({ dataDir, addsAdmin })
  await video.site.untilRepaired()
  return video
}

export const add = (video: VideoHarness, name = uid) =>
  video.site.add({
    ...row,
    uid: name,
    name,
    source: 'rtsp://192.0.2.1/x',
  })

/** Records a run of segments of two seconds, some seconds after t0, in chunks of so many segments. */
export const record = async (
  { site: { handIn, index, runId, volumes } }: VideoHarness,
  from: number,
  to: number,
  { of = uid, scene = 'gate', chunkSeconds = 60, isSealed = true, isHandedIn = true } = {},
): Promise<Run> => {
  const { init, composer } = await camera(scene)
  const { recording, ...counts } = await index.open(of)
  const run = runOf(runId(), newRunKey(), init)
  const sealed: Chunk[] = []
  let last: Spool | undefined
  const fail = (error: unknown) => {
    throw error
  }
  const writer = createChunkWriter({
    target: () => volumes.targetFor(of),
    onSealed: (chunk) => sealed.push(chunk),
    onFailure: fail,
  })
  counts.nextDiscontinuity += 1
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const spool = await writer.spoolFor({ start, run, isKept: true, counts: { ...counts } })
    last = spool
    await spool.append(composer.fragment(start / 1000, 2, second - from))
    await spool.commit({ start, finish: start + 2000, duration: 2, mediaStart: second - from })
    counts.nextSequence += 1
    if (isSealed && (second + 2 - from) % chunkSeconds === 0) await writer.end()
  }
  if (isSealed) await writer.end()
  else await last?.close()
  for (const chunk of sealed) {
    await index.addChunk(of, recording, chunk, run)
    await dropJournal(volumes.folder(chunk.volume, of), chunk.start)
  }
  if (volumes.bucket() !== undefined && isHandedIn) await handIn.settled()
  return run
}

/** The same in the format of the first version: only fragments, a file and a row for each. */
export const recordAsBefore = async (
  { site: { index, runId }, context: { dataDir } }: VideoHarness,
  from: number,
  to: number,
  scene = 'gate',
): Promise<Run> => {
  const { init, composer } = await camera(scene)
  const { recording } = await index.open(uid)
  const made = runOf(runId(), newRunKey(), init)
  const run = { ...made, id: await index.putRun(recording, made) }
  for (let second = from; second < to; second += 2) {
    const start = t0 + second * 1000
    const bytes = composer.fragment(start / 1000, 2, second - from)
    const file = `${hourFolder(start)}/${start}.m4s`
    await writeWhole(join(streamFolder(dataDir, uid), file), [bytes])
    await index.addOld(recording, [
      {
        start,
        finish: start + 2000,
        duration: 2,
        mediaStart: second - from,
        run: run.id,
        bytes: bytes.length,
        volume: 0,
        file,
        offset: 0,
      },
    ])
  }
  return run
}

export const archiveOf = ({ site: { index, runId, volumes } }: VideoHarness): StreamArchive => ({
  index,
  volumes,
  uid,
  isArchived: true,
  runId,
})

/** The content of the index without the ids of runs. */
export const known = async ({ context: { store } }: VideoHarness): Promise<unknown[]> => {
  const chunks = await store.all(
    z.unknown(),
    `SELECT uid, start, finish, chunks.bytes, hex(segments) AS segments, key, hex(init) AS init
     FROM chunks JOIN recordings ON recordings.id = chunks.recording JOIN runs ON runs.id = run ORDER BY uid, start`,
  )
  const segments = await store.all(
    z.unknown(),
    `SELECT uid, start, finish, duration, media_start, passing, segments.bytes, file, place, key, hex(init) AS init
     FROM segments JOIN recordings ON recordings.id = segments.recording JOIN runs ON runs.id = run ORDER BY uid, start`,
  )
  return [...chunks, ...segments]
}

export const numbersOf = async ({ site: { index } }: VideoHarness) => {
  const { nextSequence, nextDiscontinuity, targetDuration } = await index.open(uid)
  return { nextSequence, nextDiscontinuity, targetDuration }
}

/** The chunk that begins so many seconds after t0. */
export const pathOf = ({ context: { dataDir } }: VideoHarness, second: number): string =>
  join(streamFolder(dataDir, uid), chunkFile(t0 + second * 1000))

export const forget = async ({ context: { store } }: VideoHarness, from: number): Promise<void> => {
  for (const table of ['chunks', 'segments']) await store.run(`DELETE FROM ${table} WHERE start >= ?`, t0 + from * 1000)
}

export const database = (dataDir: string): string => join(dataDir, 'sightline.db')
