import { open, readdir, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hourMs } from '../durations.ts'
import { mendOldFiles } from './adopt-old.ts'
import { moveAside } from './aside.ts'
import { readChunk } from './chunk-scan.ts'
import { chunkFile, codeOf, exists, hourFolder, streamFolder, temporaryEnd, unless } from './folders.ts'
import { nothingMended, type Mended, type StreamArchive } from './mended.ts'
import { everyRow } from './recordings.ts'
import { dropJournal, recoverSpools } from './recover.ts'

const named = /^(\d{1,16})\.mp4$/
/** Tolerated overlap with what is recorded, as in recording. */
const overlapMs = 5
const mostOverlapping = 20_000

const startOf = (name: string): number => Number(named.exec(name)?.[1] ?? Number.NaN)
const hourOf = (folder: string): number =>
  Date.UTC(
    Number(folder.slice(0, 4)),
    Number(folder.slice(4, 6)) - 1,
    Number(folder.slice(6, 8)),
    Number(folder.slice(8, 10)),
  )

/** Indexes a sealed chunk without a row. What was recorded first stays; segments of older versions become the chunk. */
const adoptChunk = async (
  { index, uid, dataDir }: StreamArchive,
  recording: number,
  start: number,
): Promise<number | 'aside' | 'removed'> => {
  const folder = streamFolder(dataDir, uid)
  const file = chunkFile(start)
  // It may have come meanwhile.
  if (index.isHeld(uid, start) || (await index.chunkStartsIn(recording, start, start + 1)).length > 0) return 0
  const handle = await open(join(folder, file), 'r')
  let isEmpty: boolean
  try {
    const found = await readChunk(handle, start)
    isEmpty = (await handle.stat()).size === 0
    if (found !== undefined) {
      const { chunk, run, segments } = found
      const known = await index.within(uid, start + overlapMs, chunk.finish - overlapMs, mostOverlapping)
      const own = new Set(segments.map((segment) => segment.start))
      const isCopied = (each: { file: string; start: number }) => each.file.endsWith('.m4s') && own.has(each.start)
      const replaced = known.filter(isCopied).map((each) => each.start)
      const isAdded = replaced.length === known.length && (await index.addChunk(uid, recording, chunk, run, replaced))
      if (isAdded) return segments.length - replaced.length
    }
  } finally {
    await handle.close()
  }
  if (isEmpty) await unlink(join(folder, file))
  else await moveAside(folder, file)
  return isEmpty ? 'removed' : 'aside'
}

const tryToAdopt = async (archive: StreamArchive, recording: number, start: number, mended: Mended): Promise<void> => {
  const file = chunkFile(start)
  try {
    const brought = await adoptChunk(archive, recording, start)
    if (brought === 'aside') mended.aside.push(file)
    else if (brought !== 'removed') mended.brought += brought
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return
    mended.failed.push(`${file} (${code ?? String(error)})`)
  }
}

const hoursPattern = /^\d{10}$/
export const hoursOnDisk = async ({ dataDir, uid }: Pick<StreamArchive, 'dataDir' | 'uid'>): Promise<string[]> => {
  const names = await readdir(streamFolder(dataDir, uid)).catch(unless('ENOENT'))
  return (names ?? []).filter((name) => hoursPattern.test(name))
}

/** Whether a stream's folder has chunks, or one in the making. */
export const hasVideo = async ({ dataDir, uid }: Pick<StreamArchive, 'dataDir' | 'uid'>): Promise<boolean> => {
  const names = (await readdir(streamFolder(dataDir, uid)).catch(unless('ENOENT'))) ?? []
  return names.some((name) => hoursPattern.test(name) || name.endsWith('.spool'))
}

/** The hours (UTC) whose folders rows refer to, oldest first. */
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

/** Indexes what has no row, removes rows without files, moves aside what can't be assigned. */
export const mendHour = async (archive: StreamArchive, hour: string): Promise<Mended> => {
  const { index, dataDir, uid } = archive
  const mended = nothingMended()
  const recording = (await index.recording(uid))?.recording
  if (recording === undefined) return mended
  const folder = join(streamFolder(dataDir, uid), hour)
  const present = (await readdir(folder).catch(unless('ENOENT'))) ?? []
  const begin = hourOf(hour)
  const rows = new Set(await index.chunkStartsIn(recording, begin, begin + hourMs))
  const isOrphan = (start: number) =>
    !rows.has(start) && !index.isHeld(uid, start) && !index.inFlight.has(`${uid}/${chunkFile(start)}`)
  for (const name of present) {
    const whole = name.slice(0, -temporaryEnd.length)
    const isRest = name.endsWith(temporaryEnd) && named.test(whole) && !index.inFlight.has(`${uid}/${hour}/${whole}`)
    if (isRest) await unlink(join(folder, name)).catch(unless('ENOENT'))
  }
  const orphans = present.flatMap((name) => (named.test(name) && isOrphan(startOf(name)) ? startOf(name) : []))
  for (const start of orphans.toSorted((a, b) => a - b)) await tryToAdopt(archive, recording, start, mended)
  const there = new Set(present)
  for (const start of rows) {
    const file = chunkFile(start)
    if (there.has(basename(file)) || (await exists(join(streamFolder(dataDir, uid), file)))) continue
    await index.removeChunk(recording, start)
    mended.rows += 1
  }
  await mendOldFiles(archive, recording, hour, present, mended)
  return mended
}

/** Seals and indexes what a crash left in the making, and restores the numbers, which never decrease. */
export const recoverStream = async (archive: StreamArchive): Promise<Mended> => {
  const { index, uid, dataDir, isAwaited } = archive
  const mended = nothingMended()
  const { recording } = await index.open(uid)
  const folder = streamFolder(dataDir, uid)
  const { chunks, sealed, aside, failed } = await recoverSpools(folder)
  mended.aside.push(...aside)
  mended.failed.push(...failed)
  for (const start of [...chunks.map(({ chunk }) => chunk.start), ...sealed]) {
    if (isAwaited?.(start) === true) continue
    index.release(uid, start)
    await tryToAdopt(archive, recording, start, mended)
    await dropJournal(folder, start)
  }
  // Of an older database: the newest chunks say how far the numbers were.
  const [hour] = (await hoursOnDisk(archive)).toSorted().toReversed()
  if (hour !== undefined) {
    const { brought, rows, aside: moved, failed: unread } = await mendHour(archive, hour)
    mended.brought += brought
    mended.rows += rows
    mended.aside.push(...moved)
    mended.failed.push(...unread)
  }
  return mended
}
