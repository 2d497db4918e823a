import { mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isOfDisk } from '../store/database.ts'
import type { Segment, SegmentIndex } from './segment-index.ts'

/** The folder of one stream's segments. A uid is ours, but a path is never made from anything that could climb. */
export const streamFolder = (dataDir: string, uid: string): string => join(dataDir, 'archive', basename(uid))

/** The folder of the hour a moment lies in, in UTC: `2026112108`. */
export const hourFolder = (moment: number): string => new Date(moment).toISOString().slice(0, 13).replace(/\D/g, '')

const temporaryEnd = '.part'

/** Writes a file so that under its name there is always all of it: temporary name, fsync, rename. */
export const writeWhole = async (path: string, parts: readonly Uint8Array[]): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}${temporaryEnd}`
  try {
    const file = await open(temporary, 'w')
    try {
      await file.writev(parts)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Reads one segment, from memory where the disk had no room for it. Throws where its file is gone. */
export const readSegment = async (folder: string, segment: Segment & { held?: Buffer }): Promise<Buffer> => {
  if (segment.held !== undefined) return segment.held.subarray(segment.place, segment.place + segment.bytes)
  const file = await open(join(folder, segment.file), 'r')
  try {
    const bytes = Buffer.alloc(segment.bytes)
    const { bytesRead } = await file.read(bytes, 0, segment.bytes, segment.place)
    if (bytesRead !== segment.bytes) throw new Error('The segment is shorter than its row says')
    return bytes
  } finally {
    await file.close()
  }
}

const ignoreMissing = (error: unknown): void => {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTEMPTY')) return
  throw error
}

/**
 * Removes rows first and then the files that no row names any more, so that a crash leaves no row without its file; but where
 * the disk is so full that no row can be removed, whole files go first, with all that lies in them.
 */
export const removeSegments = async (
  index: SegmentIndex,
  dataDir: string,
  segments: readonly (Segment & { recording: number; uid: string })[],
): Promise<void> => {
  const byRecording = Map.groupBy(segments, (each) => each.recording)
  for (const [recording, group] of byRecording) {
    const files = Map.groupBy(group, (each) => each.file)
    const pathOf = ([first]: typeof group) => join(streamFolder(dataDir, first?.uid ?? ''), first?.file ?? '')
    const removeRows = () => index.remove(recording, group.map((each) => each.start))
    try {
      removeRows()
    } catch (error) {
      if (!isOfDisk(error)) throw error
      for (const rows of files.values()) await unlink(pathOf(rows)).catch(ignoreMissing)
      for (const [file, [first]] of files) if (first !== undefined) index.removeFile(first.uid, file)
    }
    const folders = new Set<string>()
    for (const [file, rows] of files) {
      if (index.isUsed(recording, file)) continue
      const path = pathOf(rows)
      await unlink(path).catch(ignoreMissing)
      folders.add(dirname(path))
    }
    for (const folder of folders) await rmdir(folder).catch(ignoreMissing)
  }
}

/** Removes everything that is recorded of a stream, files last. */
export const removeRecording = async (index: SegmentIndex, dataDir: string, uid: string): Promise<void> => {
  index.drop(uid)
  await rm(streamFolder(dataDir, uid), { recursive: true, force: true })
}

/**
 * Brings files and rows of one stream together again after a crash: a file that no row names goes, and so does a row whose file
 * is gone. Run before the stream records; answers how many of each it removed.
 */
export const reconcile = async (
  index: SegmentIndex,
  dataDir: string,
  uid: string,
): Promise<{ files: number; rows: number }> => {
  const folder = streamFolder(dataDir, uid)
  const removed = { files: 0, rows: 0 }
  const hours = await readdir(folder).catch(() => [])
  const seen = new Set(hours)
  for (const hour of index.foldersOf(uid)) seen.add(hour)
  for (const hour of seen) {
    const named = index.filesIn(uid, hour)
    const present = new Set(await readdir(join(folder, hour)).catch(() => []))
    for (const name of present) {
      if (named.has(`${hour}/${name}`)) continue
      await rm(join(folder, hour, name), { recursive: true, force: true })
      removed.files += 1
    }
    for (const file of named) {
      if (present.has(basename(file))) continue
      index.removeFile(uid, file)
      removed.rows += 1
    }
    if (named.size === 0) await rmdir(join(folder, hour)).catch(ignoreMissing)
  }
  return removed
}
