import { open, readdir, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hourMs } from '../durations.ts'
import { repairOldFiles } from './adopt-old.ts'
import { moveAside } from './aside.ts'
import { readChunk } from './chunk-scan.ts'
import { chunkFile, exists, hourFolder, temporaryEnd, unless } from './folders.ts'
import { noteFile, nothingRepaired, type RepairResult, type Outcome, type StreamArchive } from './repair-result.ts'
import { everyRow } from './recordings.ts'
import { dropJournal, recoverSpools } from './recover.ts'
import { ownVolume } from './volume-list.ts'

const named = /^(\d{1,16})\.mp4$/
/** Tolerated overlap with existing recordings, as in the recorder. */
const overlapMs = 5
const maxOverlapping = 20_000

const startOf = (name: string): number => Number(named.exec(name)?.[1] ?? Number.NaN)
const hourOf = (folder: string): number =>
  Date.UTC(
    Number(folder.slice(0, 4)),
    Number(folder.slice(4, 6)) - 1,
    Number(folder.slice(6, 8)),
    Number(folder.slice(8, 10)),
  )

type ChunkPlace = { volume: number; start: number }

/**
 * Indexes a sealed chunk that has no row. Existing recordings win; segments of older versions are replaced by the
 * chunk.
 */
const adoptChunk = async (
  { index, uid, volumes }: StreamArchive,
  recording: number,
  { volume, start }: ChunkPlace,
): Promise<Outcome> => {
  const folder = volumes.folder(volume, uid)
  const file = chunkFile(start)
  // Another task may have indexed it meanwhile.
  if (index.isHeld(uid, start) || (await index.chunksIn(recording, start, start + 1)).length > 0) return 0
  const handle = await open(join(folder, file), 'r')
  let isEmpty: boolean
  try {
    const found = await readChunk(handle, start)
    isEmpty = (await handle.stat()).size === 0
    if (found !== undefined) {
      const { chunk, run, segments } = found
      const known = await index.within(uid, start + overlapMs, chunk.finish - overlapMs, maxOverlapping)
      const own = new Set(segments.map((segment) => segment.start))
      const isCopied = (each: { file: string; start: number }) => each.file.endsWith('.m4s') && own.has(each.start)
      const replaced = known.filter(isCopied).map((each) => each.start)
      const isAdded =
        replaced.length === known.length && (await index.addChunk(uid, recording, { ...chunk, volume }, run, replaced))
      if (isAdded) return segments.length - replaced.length
    }
  } finally {
    await handle.close()
  }
  if (isEmpty) await unlink(join(folder, file))
  else await moveAside(folder, file)
  return isEmpty ? 'removed' : 'aside'
}

const tryToAdopt = (
  archive: StreamArchive,
  recording: number,
  place: ChunkPlace,
  repaired: RepairResult,
): Promise<void> => noteFile(repaired, chunkFile(place.start), () => adoptChunk(archive, recording, place))

type OnDisk = Pick<StreamArchive, 'volumes' | 'uid'>

/** The folders of a stream on the available volumes. */
export const foldersOf = ({ volumes, uid }: OnDisk): string[] =>
  volumes.there().map(({ id }) => volumes.folder(id, uid))

const namesIn = async (folders: readonly string[]): Promise<string[]> => {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(unless('ENOENT'))))
  return names.flatMap((some) => some ?? [])
}

const hoursPattern = /^\d{10}$/
export const hoursOnDisk = async (folders: readonly string[]): Promise<string[]> => [
  ...new Set((await namesIn(folders)).filter((name) => hoursPattern.test(name))),
]

/** Whether a stream's folders contain chunks or a spool. */
export const hasVideo = async (folders: readonly string[]): Promise<boolean> =>
  (await namesIn(folders)).some((name) => hoursPattern.test(name) || name.endsWith('.spool'))

/** The hours (UTC) that rows refer to, oldest first. */
export const hoursInIndex = async function* ({
  index,
  uid,
}: Pick<StreamArchive, 'index' | 'uid'>): AsyncGenerator<string> {
  const recording = (await index.recording(uid))?.recording
  if (recording === undefined) return
  let start = await index.nextChunk(recording, -everyRow)
  while (start !== undefined) {
    yield hourFolder(start)
    start = await index.nextChunk(recording, (Math.floor(start / hourMs) + 1) * hourMs)
  }
  let file = index.old.isAny() ? await index.old.nextFile(recording, '') : undefined
  while (file !== undefined) {
    const hour = file.slice(0, 10)
    yield hour
    file = await index.old.nextFile(recording, `${hour}0`)
  }
}

/** Handles a row whose file is missing: looks on the other volumes, else removes the row if its volume is available. */
const repairRow = async (
  { index, volumes, uid }: StreamArchive,
  recording: number,
  { start, volume, bytes }: Awaited<ReturnType<StreamArchive['index']['chunksIn']>>[number],
): Promise<'kept' | 'removed'> => {
  const file = chunkFile(start)
  for (const { id } of volumes.there()) {
    const found = await stat(join(volumes.folder(id, uid), file)).catch(unless('ENOENT', 'ENOTDIR'))
    if (id === volume && found !== undefined) return 'kept'
    if (id === volume || found?.size !== bytes) continue
    const isElsewhere = volumes.isMissing(volume) || !(await exists(join(volumes.folder(volume, uid), file)))
    if (isElsewhere) await index.moveChunk(recording, start, id)
    return 'kept'
  }
  if (volumes.isMissing(volume) || !(await volumes.verify(volume))) return 'kept'
  await index.removeChunk(recording, start)
  return 'removed'
}

/** Indexes files without rows, removes rows without files, and moves unknown files to lost+found. */
export const repairHour = async (archive: StreamArchive, hour: string): Promise<RepairResult> => {
  const { index, volumes, uid } = archive
  const repaired = nothingRepaired()
  const recording = (await index.recording(uid))?.recording
  if (recording === undefined) return repaired
  const begin = hourOf(hour)
  const rows = await index.chunksIn(recording, begin, begin + hourMs)
  const known = new Set(rows.map(({ start }) => start))
  const isOrphan = (start: number) =>
    !known.has(start) && !index.isHeld(uid, start) && !index.inFlight.has(`${uid}/${chunkFile(start)}`)
  const present = new Map<number, string[]>()
  for (const { id } of volumes.there()) {
    const folder = join(volumes.folder(id, uid), hour)
    const names = (await readdir(folder).catch(unless('ENOENT'))) ?? []
    present.set(id, names)
    for (const name of names) {
      const whole = name.slice(0, -temporaryEnd.length)
      const isRest = name.endsWith(temporaryEnd) && named.test(whole) && !index.inFlight.has(`${uid}/${hour}/${whole}`)
      if (isRest) await unlink(join(folder, name)).catch(unless('ENOENT'))
    }
    const orphans = names.flatMap((name) => (named.test(name) && isOrphan(startOf(name)) ? startOf(name) : []))
    for (const start of orphans.toSorted((a, b) => a - b))
      await tryToAdopt(archive, recording, { volume: id, start }, repaired)
  }
  for (const row of rows) {
    const isThere = present.get(row.volume)?.includes(basename(chunkFile(row.start))) === true
    if (!isThere && (await repairRow(archive, recording, row)) === 'removed') repaired.rows += 1
  }
  await repairOldFiles(archive, recording, hour, present.get(ownVolume) ?? [], repaired)
  return repaired
}

/**
 * Seals and indexes the spools that a crash left, and restores the counters, which never decrease. `isOfRecorder`: a
 * spool that this process records or recorded.
 */
export const recoverStream = async (
  archive: StreamArchive,
  isOfRecorder: (start: number) => boolean = () => false,
): Promise<RepairResult> => {
  const { index, uid, volumes, isAwaited } = archive
  const repaired = nothingRepaired()
  const { recording } = await index.open(uid)
  for (const { id: volume } of volumes.there()) {
    const folder = volumes.folder(volume, uid)
    const { chunks, sealed, aside, failed } = await recoverSpools({ volume, folder, isOfRecorder })
    repaired.aside.push(...aside)
    repaired.failed.push(...failed)
    for (const start of [...chunks, ...sealed]) {
      if (isAwaited?.(start) === true) continue
      index.release(uid, start)
      await tryToAdopt(archive, recording, { volume, start }, repaired)
      await dropJournal(folder, start)
    }
  }
  // An older database was restored: the newest chunks know the counters.
  const [hour] = (await hoursOnDisk(foldersOf(archive))).toSorted().toReversed()
  if (hour !== undefined) {
    const { restored, rows, aside: moved, failed: unread } = await repairHour(archive, hour)
    repaired.restored += restored
    repaired.rows += rows
    repaired.aside.push(...moved)
    repaired.failed.push(...unread)
  }
  return repaired
}
