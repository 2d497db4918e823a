import { open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { moveToLostAndFound } from '../../storage/lost-and-found.ts'
import { exists, syncFolder, temporaryEnd } from '../../storage/folders.ts'
import { addOutcome, type RepairResult, type Outcome, type StreamArchive } from './repair-result.ts'
import { newRunKey, runOf, type Run } from '../format/run.ts'
import { fits, scanFile, segmentsIn, type FoundSegment, type ScannedFile } from '../format/segment-file.ts'
import { ownVolume } from '../../storage/volume-list.ts'

const oldName = /^(\d{1,16})\.m4s(\.part)?$/
/** Two segments are of one run if the intervals of their starts in UTC and in media time differ by at most this. */
const maxDifferenceMs = 1000
/** A file without neighbours is taken for the beginning of a run if its media time, in seconds, is below this. */
const maxFirstMediaStart = 10

const startOf = (name: string): number => Number(oldName.exec(name)?.[1] ?? Number.NaN)

type RunSegments = { run: Run; segments: FoundSegment[] }

type OldFile = { archive: StreamArchive; recording: number; handle: FileHandle; scanned: ScannedFile; start: number }

const addRun = async ({ index, runId }: StreamArchive, recording: number, key: string, init: Run['init']) => {
  const run = runOf(runId(), key, init)
  return { ...run, id: await index.putRun(recording, run) }
}

/** Files of the first version don't name their run: finds the one whose init and media time fit, or adds one. */
const guessRun = async ({ archive, recording, handle, scanned, start }: OldFile): Promise<RunSegments | undefined> => {
  const { index } = archive
  let fitting: RunSegments | undefined
  for (const run of await index.runsNear(recording, start)) {
    if (!(await fits(handle, scanned, run.init))) continue
    const segments = await segmentsIn(handle, scanned, run.init, start)
    const [first] = segments
    if (first === undefined) continue
    const neighbours = await index.old.neighboursIn(recording, run.id, start)
    const isContinuing = neighbours.some(
      (each) => Math.abs(start - each.start - (first.mediaStart - each.mediaStart) * 1000) <= maxDifferenceMs,
    )
    if (isContinuing || (neighbours.length === 0 && first.mediaStart < maxFirstMediaStart)) return { run, segments }
    fitting ??= { run, segments }
  }
  if (fitting === undefined) return undefined
  return { ...fitting, run: await addRun(archive, recording, newRunKey(), fitting.run.init) }
}

/** The run of a file, added if the index lacks it, and the file's segments. */
const runOfFile = async (file: OldFile): Promise<RunSegments | undefined> => {
  const { archive, recording, handle, scanned, start } = file
  const { index, uid } = archive
  const { init, facts } = scanned
  if (init === undefined || facts === undefined) return guessRun(file)
  const segments = await segmentsIn(handle, scanned, init, start)
  if (segments.length === 0) return undefined
  const run = (await index.runOfKey(uid, facts.run)) ?? (await addRun(archive, recording, facts.run, init))
  return { run, segments }
}

/** Truncates a file that was being written to its whole segments, which end at `end`, and gives it its final name. */
const finishPart = async (path: string, handle: FileHandle, end: number): Promise<void> => {
  await handle.truncate(end)
  await handle.datasync()
  await rename(`${path}${temporaryEnd}`, path)
  await syncFolder(dirname(path))
}

/** The segments of a file, and the run that they belong to; undefined if it has none, or isn't valid MP4. */
const read = async (archive: StreamArchive, recording: number, handle: FileHandle, start: number) => {
  try {
    const scanned = await scanFile(handle)
    const found = await runOfFile({ archive, recording, handle, scanned, start })
    return found === undefined ? undefined : { ...found, facts: scanned.facts }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Finds the segments without a row. `isCopied`: all segments are in chunks already, as repacking was interrupted. */
const missingRows = async ({ index, uid }: StreamArchive, segments: readonly FoundSegment[]) => {
  const missing: FoundSegment[] = []
  let copied = 0
  for (const segment of segments) {
    const known = await index.startingAt(uid, segment.start)
    if (known === undefined) missing.push(segment)
    else if (known.file.endsWith('.mp4') && known.bytes === segment.bytes) copied += 1
  }
  return { missing, isCopied: segments.length > 0 && copied === segments.length }
}

/** Indexes the segments of a file that have no rows. */
const restoreFile = async (archive: StreamArchive, recording: number, file: string): Promise<Outcome> => {
  const { index, volumes, uid } = archive
  const isPart = file.endsWith(temporaryEnd)
  const finalName = isPart ? file.slice(0, -temporaryEnd.length) : file
  const folder = volumes.folder(ownVolume, uid)
  const path = join(folder, finalName)
  const handle = await open(isPart ? `${path}${temporaryEnd}` : path, isPart ? 'r+' : 'r')
  let isUnneeded: boolean
  try {
    const found = await read(archive, recording, handle, startOf(basename(finalName)))
    const last = found?.segments.at(-1)
    const { missing, isCopied } = await missingRows(archive, found?.segments ?? [])
    const isNameTaken = isPart && (await exists(path))
    if (found !== undefined && last !== undefined && missing.length > 0 && !isNameTaken) {
      if (isPart) await finishPart(path, handle, last.offset + last.bytes)
      if (found.facts?.numbers !== undefined) await index.raiseCounters(recording, found.facts.numbers)
      const rows = missing.map((each) => ({ ...each, run: found.run.id, volume: ownVolume, file: finalName }))
      await index.addOld(recording, rows, found.facts?.isPassing ?? !archive.isArchived)
      // Files of the first version lack the counters: raising them by one for each segment is enough.
      if (found.facts === undefined) await index.raiseCountersBy(recording, missing.length)
      return missing.length
    }
    isUnneeded = isCopied || (isPart && last === undefined) || (await handle.stat()).size === 0
  } finally {
    await handle.close()
  }
  if (isUnneeded) await unlink(isPart ? `${path}${temporaryEnd}` : path)
  else await moveToLostAndFound(folder, file)
  return isUnneeded ? 'removed' : 'moved'
}

/**
 * Indexes files of older versions that have no rows, and removes rows of older versions that have no files. `present`:
 * the names of the files in the folder `hour`. Adds what it did to `repaired`.
 */
export const repairOldFiles = async (
  archive: StreamArchive,
  recording: number,
  hour: string,
  present: readonly string[],
  repaired: RepairResult,
): Promise<void> => {
  const { index, volumes, uid } = archive
  const isOld = present.some((name) => oldName.test(name))
  if (!isOld && !index.old.isAny()) return
  const rows = await index.old.filesIn(recording, hour)
  const orphans = present.filter((name) => oldName.test(name) && !rows.has(`${hour}/${name}`))
  for (const name of orphans.toSorted((a, b) => startOf(a) - startOf(b) || a.length - b.length))
    await addOutcome(repaired, `${hour}/${name}`, () => restoreFile(archive, recording, `${hour}/${name}`))
  const names = new Set(present)
  for (const file of await index.old.filesIn(recording, hour)) {
    if (names.has(basename(file)) || (await exists(join(volumes.folder(ownVolume, uid), file)))) continue
    if (!(await volumes.verify(ownVolume))) return
    await index.old.removeFile(recording, file)
    repaired.removedRows += 1
  }
}
