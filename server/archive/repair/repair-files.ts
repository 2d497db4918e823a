import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { hourMs } from '../../durations.ts'
import { repairOldFiles } from './repair-old-files.ts'
import { readChunk } from '../format/chunk-scan.ts'
import { chunkFile, hourFolder, temporaryEnd, ignoring } from '../../storage/folders.ts'
import {
  addOutcome,
  addRepaired,
  nothingRepaired,
  type RepairResult,
  type Outcome,
  type StreamArchive,
} from './repair-result.ts'
import { fillFreeTimes } from './free-times.ts'
import { minMoment } from '../index/recordings.ts'
import { dropJournal, recoverSpools } from '../format/recover.ts'
import { overlapMs } from '../format/segment.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volume } from '../../storage/volumes.ts'

const chunkName = /^(\d{1,16})\.mp4$/
/** More segments than a chunk can overlap. */
const maxOverlapping = 20_000
const hoursAtOnce = 1000

const startOf = (name: string): number => Number(chunkName.exec(name)?.[1] ?? Number.NaN)
/** The moment at which the hour of a folder (`2026112108`) begins. */
const hourOf = (folder: string): number =>
  Date.UTC(
    Number(folder.slice(0, 4)),
    Number(folder.slice(4, 6)) - 1,
    Number(folder.slice(6, 8)),
    Number(folder.slice(8, 10)),
  )

type ChunkKey = { volume: number; start: number }

/**
 * Indexes a chunk file that has no row. It is moved to lost+found if something else is recorded at that time; but it
 * replaces segments of older versions that it has copies of.
 */
const indexChunk = async (archive: StreamArchive, recording: number, { volume, start }: ChunkKey): Promise<Outcome> => {
  const { index, uid, volumes, late } = archive
  const storage = volumes.storage(volume)
  const file = chunkFile(start)
  // Another task may have indexed it meanwhile.
  if (index.isUnindexed(uid, start) || (await index.chunksIn(recording, start, start + 1)).length > 0) return 0
  // Another node is about to remove it.
  if (index.isFenced && (await index.garbage.has(volume, { uid, start }))) return 0
  if (index.isFenced && !volumes.isBucket(volume)) {
    const filled = await fillFreeTimes(archive, recording, { volume, start }, late?.from)
    for (const from of filled?.later ?? []) late?.add({ recording, volume, start: from })
    if (filled !== undefined && (filled.added > 0 || filled.later.length > 0)) return filled.added
  }
  const outcome = await storage.withFile(uid, file, async (opened): Promise<Outcome> => {
    const found = await readChunk(opened, start)
    if (found === undefined) return (await opened.stat()).size === 0 ? 'removed' : 'moved'
    const { chunk, run, segments } = found
    const known = await index.within(uid, start + overlapMs, chunk.finish - overlapMs, maxOverlapping)
    const own = new Set(segments.map((segment) => segment.start))
    const isCopied = (each: { file: string; start: number }) => each.file.endsWith('.m4s') && own.has(each.start)
    const replaced = known.filter(isCopied).map((each) => each.start)
    const isAdded =
      replaced.length === known.length && (await index.addChunk(uid, recording, { ...chunk, volume }, run, replaced))
    return isAdded ? segments.length - replaced.length : 'moved'
  })
  if (outcome === 'removed') await storage.remove(uid, [file])
  if (outcome === 'moved') await storage.moveToLostAndFound(uid, file)
  return outcome
}

const tryToIndex = (archive: StreamArchive, recording: number, key: ChunkKey, repaired: RepairResult): Promise<void> =>
  addOutcome(repaired, chunkFile(key.start), () => indexChunk(archive, recording, key))

type StreamFiles = Pick<StreamArchive, 'volumes' | 'uid'>

/** The folders of a stream on the available disks, which have its chunks and spools. */
export const foldersOf = ({ volumes, uid }: StreamFiles): string[] =>
  volumes.folders().map(({ id }) => volumes.folder(id, uid))

/** The hours (UTC) for which a stream has chunks on the available volumes, as `2026112108`. */
export const hoursStored = async ({ volumes, uid }: StreamFiles): Promise<string[]> => {
  const hours = await Promise.all(volumes.available().map(({ id }) => volumes.storage(id).hours(uid)))
  return [...new Set(hours.flat())]
}

/** Whether there are chunks or a spool of a stream. */
export const hasVideo = async (stream: StreamFiles): Promise<boolean> => {
  const names = await Promise.all(foldersOf(stream).map((folder) => readdir(folder).catch(ignoring('ENOENT'))))
  const hasSpool = names.some((some) => some?.some((name) => name.endsWith('.spool')))
  return hasSpool || (await hoursStored(stream)).length > 0
}

/**
 * The hours (UTC) for which the index has rows of chunks on the volumes that are given, oldest first, then those of
 * older versions. By default on this server's disks: of what buckets and other nodes have, nothing is repaired here.
 */
export const hoursInIndex = async function* (
  { index, volumes, uid }: Pick<StreamArchive, 'index' | 'volumes' | 'uid'>,
  on: readonly Pick<Volume, 'id'>[] = volumes.all().filter(({ id }) => !volumes.isBucket(id)),
): AsyncGenerator<string> {
  const recording = (await index.recording(uid))?.recording
  if (recording === undefined) return
  for (const { id } of on) {
    let from: number | undefined = minMoment
    while (from !== undefined) {
      const starts: number[] = await index.hourStarts(id, recording, from, hoursAtOnce)
      yield* starts.map(hourFolder)
      const last = starts.length < hoursAtOnce ? undefined : starts.at(-1)
      from = last === undefined ? undefined : (Math.floor(last / hourMs) + 1) * hourMs
    }
  }
  let file = index.old.isAny() ? await index.old.nextFile(recording, '') : undefined
  while (file !== undefined) {
    const hour = file.slice(0, 10)
    yield hour
    file = await index.old.nextFile(recording, `${hour}0`)
  }
}

type ChunkRow = Awaited<ReturnType<StreamArchive['index']['chunksIn']>>[number]

/** Handles a row whose file is missing. If another volume has it, the row changes; otherwise the row is removed. */
const repairRow = async (
  { index, volumes, uid }: StreamArchive,
  recording: number,
  { start, volume, bytes }: ChunkRow,
): Promise<'kept' | 'removed'> => {
  const file = chunkFile(start)
  const sizeOn = (id: number): Promise<number | undefined> => volumes.storage(id).sizeOf(uid, file)
  for (const { id } of volumes.all()) {
    const size = volumes.isMissing(id) ? undefined : await sizeOn(id)
    if (id === volume && size !== undefined) return 'kept'
    if (id === volume || size !== bytes) continue
    const isMoved = volumes.isMissing(volume) || (await sizeOn(volume)) === undefined
    if (isMoved) await index.moveChunk(recording, { uid, start }, id)
    return 'kept'
  }
  if (volumes.isMissing(volume) || !(await volumes.verify(volume))) return 'kept'
  await index.removeChunk(recording, start)
  return 'removed'
}

/** Removes the file, on a disk, of a chunk that was handed in: a crash left it. The bucket must have the chunk. */
const removeCopies = async (
  { uid, volumes, isHandedIn }: StreamArchive,
  { start, volume, bytes }: ChunkRow,
  present: ReadonlyMap<number, readonly string[]>,
): Promise<void> => {
  if (isHandedIn?.(start) === true) return
  const file = chunkFile(start)
  const copies = [...present].filter(([id, names]) => !volumes.isBucket(id) && names.includes(basename(file)))
  if (copies.length === 0) return
  // The rows of an older database may name objects that are gone.
  const handedIn = await volumes
    .storage(volume)
    .sizeOf(uid, file)
    .catch(() => undefined)
  if (handedIn !== bytes) return
  for (const [id] of copies) {
    const storage = volumes.storage(id)
    if ((await storage.sizeOf(uid, file)) === bytes) await storage.remove(uid, [file])
  }
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
    !known.has(start) && !index.isUnindexed(uid, start) && !index.inFlight.has(`${uid}/${chunkFile(start)}`)
  const present = new Map<number, string[]>()
  for (const { id } of volumes.available()) {
    const storage = volumes.storage(id)
    const names = await storage.names(uid, hour)
    present.set(id, names)
    const isUnfinished = (name: string): boolean => {
      const final = name.slice(0, -temporaryEnd.length)
      return name.endsWith(temporaryEnd) && chunkName.test(final) && !index.inFlight.has(`${uid}/${hour}/${final}`)
    }
    const unfinished = names.filter(isUnfinished)
    if (unfinished.length > 0)
      await storage.remove(
        uid,
        unfinished.map((name) => `${hour}/${name}`),
      )
    const orphans = names.flatMap((name) => (chunkName.test(name) && isOrphan(startOf(name)) ? startOf(name) : []))
    for (const start of orphans.toSorted((a, b) => a - b))
      await tryToIndex(archive, recording, { volume: id, start }, repaired)
  }
  for (const row of rows) {
    if (volumes.isBucket(row.volume)) await removeCopies(archive, row, present)
    // Only the command `repair` lists buckets: otherwise their rows are left as they are.
    const isUnlisted = !present.has(row.volume) && !volumes.isMissing(row.volume)
    if (isUnlisted || volumes.elsewhere().includes(row.volume)) continue
    const hasFile = present.get(row.volume)?.includes(basename(chunkFile(row.start))) === true
    if (!hasFile && (await repairRow(archive, recording, row)) === 'removed') repaired.removedRows += 1
  }
  const old = present.get(ownVolume)
  if (old !== undefined) await repairOldFiles(archive, recording, hour, old, repaired)
  return repaired
}

/**
 * Seals and indexes the spools that a crash left, and raises the counters of the recording to those in its files.
 * `isOfRecorder`: whether a recorder of this process writes or wrote a spool.
 */
export const recoverStream = async (
  archive: StreamArchive,
  isOfRecorder: (start: number) => boolean = () => false,
): Promise<RepairResult> => {
  const { index, uid, volumes, isWaitingForIndex } = archive
  const repaired = nothingRepaired()
  const { recording } = await index.open(uid)
  for (const { id: volume } of volumes.folders()) {
    const folder = volumes.folder(volume, uid)
    const { sealed, unindexed, movedFiles, failed } = await recoverSpools({ volume, folder, isOfRecorder })
    repaired.movedFiles.push(...movedFiles)
    repaired.failed.push(...failed)
    for (const start of [...sealed, ...unindexed]) {
      if (isWaitingForIndex?.(start) === true) continue
      index.dropUnindexed(uid, start)
      await tryToIndex(archive, recording, { volume, start }, repaired)
      await dropJournal(folder, start)
    }
  }
  // If an older database was restored, the newest chunks have the counters.
  const [hour] = (await hoursStored(archive)).toSorted().toReversed()
  if (hour !== undefined) addRepaired(repaired, await repairHour(archive, hour))
  return repaired
}
