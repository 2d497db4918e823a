import { open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { moveToLostAndFound } from '../storage/lost-and-found.ts'
import { exists, syncFolder, temporaryEnd } from '../storage/folders.ts'
import { noteFile, type RepairResult, type Outcome, type StreamArchive } from './repair-result.ts'
import { newRunKey, runOf, type Run } from './run.ts'
import { fits, scanFile, segmentsIn, type FoundSegment, type Scanned } from './segment-file.ts'
import { ownVolume } from '../storage/volume-list.ts'

const named = /^(\d{1,16})\.m4s(\.part)?$/
const agreeMs = 1000
const maxAtBegin = 10

const startOf = (name: string): number => Number(named.exec(name)?.[1] ?? Number.NaN)

type Belonging = { run: Run; segments: FoundSegment[] }

type Found = { archive: StreamArchive; recording: number; handle: FileHandle; scanned: Scanned; start: number }

const addedRun = async ({ index, runId }: StreamArchive, recording: number, key: string, init: Run['init']) => {
  const run = runOf(runId(), key, init)
  return { ...run, id: await index.putRun(recording, run) }
}

/** First-version files don't name their run: finds the one whose init and media time fit, or adds one. */
const guessed = async ({ archive, recording, handle, scanned, start }: Found): Promise<Belonging | undefined> => {
  const { index } = archive
  let nearest: Belonging | undefined
  for (const run of await index.runsNear(recording, start)) {
    if (!(await fits(handle, scanned, run.init))) continue
    const segments = await segmentsIn(handle, scanned, run.init, start)
    const [first] = segments
    if (first === undefined) continue
    const neighbours = await index.old.neighboursIn(recording, run.id, start)
    const isOn = neighbours.some(
      (each) => Math.abs(start - each.start - (first.mediaStart - each.mediaStart) * 1000) <= agreeMs,
    )
    if (isOn || (neighbours.length === 0 && first.mediaStart < maxAtBegin)) return { run, segments }
    nearest ??= { run, segments }
  }
  if (nearest === undefined) return undefined
  return { ...nearest, run: await addedRun(archive, recording, newRunKey(), nearest.run.init) }
}

const belonging = async (found: Found): Promise<Belonging | undefined> => {
  const { archive, recording, handle, scanned, start } = found
  const { index, uid } = archive
  const { init, facts } = scanned
  if (init === undefined || facts === undefined) return guessed(found)
  const segments = await segmentsIn(handle, scanned, init, start)
  if (segments.length === 0) return undefined
  const run = (await index.runOfKey(uid, facts.run)) ?? (await addedRun(archive, recording, facts.run, init))
  return { run, segments }
}

const finishPart = async (path: string, handle: FileHandle, end: number): Promise<void> => {
  await handle.truncate(end)
  await handle.datasync()
  await rename(`${path}${temporaryEnd}`, path)
  await syncFolder(dirname(path))
}

const read = async (archive: StreamArchive, recording: number, handle: FileHandle, start: number) => {
  try {
    const scanned = await scanFile(handle)
    const found = await belonging({ archive, recording, handle, scanned, start })
    return found === undefined ? undefined : { ...found, facts: scanned.facts }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Segments without a row. `isCopied`: all of them are in chunks already, after an interrupted takeover. */
const unknown = async ({ index, uid }: StreamArchive, segments: readonly FoundSegment[]) => {
  const missing: FoundSegment[] = []
  let copied = 0
  for (const segment of segments) {
    const known = await index.startingAt(uid, segment.start)
    if (known === undefined) missing.push(segment)
    else if (known.file.endsWith('.mp4') && known.bytes === segment.bytes) copied += 1
  }
  return { missing, isCopied: segments.length > 0 && copied === segments.length }
}

const restoreFile = async (archive: StreamArchive, recording: number, file: string): Promise<Outcome> => {
  const { index, volumes, uid } = archive
  const isPart = file.endsWith(temporaryEnd)
  const whole = isPart ? file.slice(0, -temporaryEnd.length) : file
  const folder = volumes.folder(ownVolume, uid)
  const path = join(folder, whole)
  const handle = await open(isPart ? `${path}${temporaryEnd}` : path, isPart ? 'r+' : 'r')
  let isNeedless: boolean
  try {
    const found = await read(archive, recording, handle, startOf(basename(whole)))
    const last = found?.segments.at(-1)
    const { missing, isCopied } = await unknown(archive, found?.segments ?? [])
    const isInTheWay = isPart && (await exists(path))
    if (found !== undefined && last !== undefined && missing.length > 0 && !isInTheWay) {
      if (isPart) await finishPart(path, handle, last.offset + last.bytes)
      if (found.facts?.numbers !== undefined) await index.raise(recording, found.facts.numbers)
      const rows = missing.map((each) => ({ ...each, run: found.run.id, volume: ownVolume, file: whole }))
      await index.addOld(recording, rows, found.facts?.isPassing ?? !archive.isArchived)
      // Files of the first version have no numbers: one for each is enough.
      if (found.facts === undefined) await index.skip(recording, missing.length)
      return missing.length
    }
    isNeedless = isCopied || (isPart && last === undefined) || (await handle.stat()).size === 0
  } finally {
    await handle.close()
  }
  if (isNeedless) await unlink(isPart ? `${path}${temporaryEnd}` : path)
  else await moveToLostAndFound(folder, file)
  return isNeedless ? 'removed' : 'aside'
}

/** Indexes segments of older versions without rows, removes rows without files. */
export const repairOldFiles = async (
  archive: StreamArchive,
  recording: number,
  hour: string,
  present: readonly string[],
  repaired: RepairResult,
): Promise<void> => {
  const { index, volumes, uid } = archive
  const isOld = present.some((name) => named.test(name))
  if (!isOld && !index.old.isAny()) return
  const rows = await index.old.filesIn(recording, hour)
  const orphans = present.filter((name) => named.test(name) && !rows.has(`${hour}/${name}`))
  for (const name of orphans.toSorted((a, b) => startOf(a) - startOf(b) || a.length - b.length))
    await noteFile(repaired, `${hour}/${name}`, () => restoreFile(archive, recording, `${hour}/${name}`))
  const there = new Set(present)
  for (const file of await index.old.filesIn(recording, hour)) {
    if (there.has(basename(file)) || (await exists(join(volumes.folder(ownVolume, uid), file)))) continue
    await index.old.removeFile(recording, file)
    repaired.rows += 1
  }
}
