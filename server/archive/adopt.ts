import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, exists, streamFolder, syncFolder, temporaryEnd, unless } from './files.ts'
import { fits, scanFile, segmentsIn, type FoundSegment, type Scanned } from './segment-file.ts'
import type { Run, SegmentIndex } from './segment-index.ts'

export type StreamArchive = { index: SegmentIndex; dataDir: string; uid: string; isArchived: boolean }

export type Mended = { brought: number; rows: number; aside: string[]; failed: string[] }

export const isNotable = ({ brought, rows, aside, failed }: Mended): boolean =>
  brought + rows + aside.length + failed.length > 0

const named = /^(\d{1,16})\.m4s(\.part)?$/
/** Folder of a stream for files that can't be assigned. Nothing removes them. */
const asideFolder = 'lost+found'
const agreeMs = 1000
const mostAtBegin = 10

const startOf = (name: string): number => Number(named.exec(name)?.[1] ?? Number.NaN)

const moveAside = async ({ dataDir, uid }: StreamArchive, file: string): Promise<void> => {
  const folder = join(streamFolder(dataDir, uid), asideFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = file.replace('/', '-')
  let target = join(folder, name)
  for (let count = 2; await exists(target); count += 1) target = join(folder, `${name}-${count}`)
  await rename(join(streamFolder(dataDir, uid), file), target)
  await syncFolder(folder)
}

type Belonging = { run: Run; segments: FoundSegment[] }

/** First-version files don't name their run: finds the one whose init and media time fit, or adds one. */
const guessed = async (
  { index, uid }: StreamArchive,
  recording: number,
  handle: FileHandle,
  scanned: Scanned,
  start: number,
): Promise<Belonging | undefined> => {
  let nearest: Belonging | undefined
  for (const run of index.runsNear(uid, start)) {
    if (!(await fits(handle, scanned, run.init))) continue
    const segments = await segmentsIn(handle, scanned, run.init, start)
    const [first] = segments
    if (first === undefined) continue
    const neighbours = index.neighboursIn(uid, run.id, start)
    const isOn = neighbours.some(
      (each) => Math.abs(start - each.start - (first.mediaStart - each.mediaStart) * 1000) <= agreeMs,
    )
    if (isOn || (neighbours.length === 0 && first.mediaStart < mostAtBegin)) return { run, segments }
    nearest ??= { run, segments }
  }
  return nearest === undefined ? undefined : { ...nearest, run: index.addRun(recording, nearest.run.init) }
}

const belonging = async (
  archive: StreamArchive,
  recording: number,
  handle: FileHandle,
  scanned: Scanned,
  start: number,
): Promise<Belonging | undefined> => {
  const { index, uid } = archive
  const { init, facts } = scanned
  if (init === undefined || facts === undefined) return guessed(archive, recording, handle, scanned, start)
  const segments = await segmentsIn(handle, scanned, init, start)
  if (segments.length === 0) return undefined
  return { run: index.runOfKey(uid, facts.run) ?? index.addRun(recording, init, facts.run), segments }
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
    const found = await belonging(archive, recording, handle, scanned, start)
    return found === undefined ? undefined : { ...found, facts: scanned.facts }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const restoreFile = async (
  archive: StreamArchive,
  recording: number,
  file: string,
): Promise<number | 'aside' | 'removed'> => {
  const { index, dataDir, uid } = archive
  const isPart = file.endsWith(temporaryEnd)
  const whole = isPart ? file.slice(0, -temporaryEnd.length) : file
  const path = join(streamFolder(dataDir, uid), whole)
  const handle = await open(isPart ? `${path}${temporaryEnd}` : path, isPart ? 'r+' : 'r')
  let isEmpty: boolean
  try {
    const found = await read(archive, recording, handle, startOf(basename(whole)))
    const last = found?.segments.at(-1)
    const segments = found?.segments.filter(({ start }) => index.startingAt(uid, start) === undefined) ?? []
    const isInTheWay = isPart && (await exists(path))
    if (found !== undefined && last !== undefined && segments.length > 0 && !isInTheWay) {
      if (isPart) await finishPart(path, handle, last.offset + last.bytes)
      if (found.facts?.numbers !== undefined) index.raise({ recording, ...found.facts.numbers })
      const rows = segments.map((each) => ({ ...each, run: found.run.id, file: whole }))
      index.addPast(recording, rows, found.facts?.isPassing ?? !archive.isArchived)
      return segments.length
    }
    isEmpty = (isPart && last === undefined) || (await handle.stat()).size === 0
  } finally {
    await handle.close()
  }
  if (isEmpty) await unlink(isPart ? `${path}${temporaryEnd}` : path)
  else await moveAside(archive, file)
  return isEmpty ? 'removed' : 'aside'
}

const tryToRestore = async (archive: StreamArchive, file: string, mended: Mended): Promise<void> => {
  const recording = archive.index.numbers(archive.uid)?.recording
  if (recording === undefined) return
  try {
    const brought = await restoreFile(archive, recording, file)
    if (brought === 'aside') mended.aside.push(file)
    else if (brought !== 'removed') mended.brought += brought
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return
    mended.failed.push(`${file} (${code ?? String(error)})`)
  }
}

const orphansOf = (present: readonly string[], { index, uid }: StreamArchive, hour: string): string[] => {
  const rows = index.filesIn(uid, hour)
  const isOrphan = (name: string): boolean => {
    const file = `${hour}/${name}`
    const whole = file.endsWith(temporaryEnd) ? file.slice(0, -temporaryEnd.length) : file
    return named.test(name) && !rows.has(file) && !index.inFlight.has(`${uid}/${whole}`)
  }
  return present.filter(isOrphan).toSorted((a, b) => startOf(a) - startOf(b) || a.length - b.length)
}

const hoursPattern = /^\d{10}$/
export const hoursOnDisk = async ({ dataDir, uid }: Pick<StreamArchive, 'dataDir' | 'uid'>): Promise<string[]> => {
  const names = await readdir(streamFolder(dataDir, uid)).catch(unless('ENOENT'))
  return (names ?? []).filter((name) => hoursPattern.test(name))
}

const filesOf = async ({ dataDir, uid }: StreamArchive, hour: string): Promise<string[]> =>
  (await readdir(join(streamFolder(dataDir, uid), hour)).catch(unless('ENOENT'))) ?? []

/** Indexes segments without rows, removes rows without files, moves aside what can't be assigned. */
export const mendHour = async (archive: StreamArchive, hour: string): Promise<Mended> => {
  const { index, dataDir, uid } = archive
  const mended: Mended = { brought: 0, rows: 0, aside: [], failed: [] }
  const present = await filesOf(archive, hour)
  for (const name of orphansOf(present, archive, hour)) await tryToRestore(archive, `${hour}/${name}`, mended)
  const there = new Set(present)
  for (const file of index.filesIn(uid, hour)) {
    if (there.has(basename(file)) || (await exists(join(streamFolder(dataDir, uid), file)))) continue
    index.removeFile(uid, file)
    mended.rows += 1
  }
  return mended
}

/** Restores the numbers, which never decrease, and the last segment from the newest hour, before recording. */
export const restoreNumbers = async (archive: StreamArchive): Promise<Mended> => {
  const { index, uid } = archive
  const numbers = index.open(uid)
  const mended: Mended = { brought: 0, rows: 0, aside: [], failed: [] }
  const [hour] = (await hoursOnDisk(archive)).toSorted().toReversed()
  if (hour === undefined) return mended
  const orphans = orphansOf(await filesOf(archive, hour), archive, hour)
  for (const name of orphans.toReversed()) {
    if (mended.brought === 0) await tryToRestore(archive, `${hour}/${name}`, mended)
  }
  const now = index.numbers(uid)
  // First-version files have no numbers: one for each is enough.
  if (now?.nextSequence === numbers.nextSequence) {
    const { nextSequence, nextDiscontinuity } = numbers
    const count = orphans.length
    index.raise({ ...numbers, nextSequence: nextSequence + count, nextDiscontinuity: nextDiscontinuity + count })
  }
  return mended
}
