import { access, mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { isDiskError } from '../store/disk-error.ts'
import { fileHead } from './segment-file.ts'
import type { KeptSegment, Numbers, Run, Segment, SegmentIndex } from './segment-index.ts'

export const archiveFolder = (dataDir: string): string => join(dataDir, 'archive')

/** Folder of one stream's segments; `basename` guards against path traversal. */
export const streamFolder = (dataDir: string, uid: string): string => join(archiveFolder(dataDir), basename(uid))

export const hourFolder = (moment: number): string => new Date(moment).toISOString().slice(0, 13).replace(/\D/g, '')

export const temporaryEnd = '.part'

const ErrorOfFile = z.object({ code: z.string(), syscall: z.string() })
export const codeOf = (error: unknown): string | undefined => z.safeParse(ErrorOfFile, error).data?.code

export const unless =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (codes.includes(codeOf(error) ?? '')) return undefined
    throw error
  }

/** Syncs the names in a folder, to survive a power loss; ignored where folders can't be synced. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r').catch(unless('EISDIR', 'EPERM', 'EACCES', 'ENOENT'))
  try {
    await handle?.sync().catch(unless('EINVAL', 'EPERM', 'ENOTSUP'))
  } finally {
    await handle?.close()
  }
}

const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Writes a file atomically: temporary name, sync, rename, sync of the folder. */
export const writeWhole = async (path: string, parts: readonly Uint8Array[]): Promise<void> => {
  await makeFolder(dirname(path))
  const temporary = `${path}${temporaryEnd}`
  try {
    const file = await open(temporary, 'w', 0o600)
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
  await syncFolder(dirname(path))
}

type StreamArchive = { index: SegmentIndex; dataDir: string; uid: string }

/** Marks a file as being written, so that mending ignores it. */
const whileInFlight = async <T>({ index, uid }: StreamArchive, file: string, work: () => Promise<T>): Promise<T> => {
  const name = `${uid}/${file}`
  index.inFlight.add(name)
  try {
    return await work()
  } finally {
    index.inFlight.delete(name)
  }
}

/** Writes one live segment, then its row. Throws if its start is in use; without space for the row the file stays. */
export const keepSegment = async (
  archive: StreamArchive,
  { segment, run, numbers, expires }: { segment: Segment; run: Run; numbers: Numbers; expires: boolean },
  parts: readonly Uint8Array[],
): Promise<Segment> => {
  const head = fileHead(run, expires, numbers)
  const kept = { ...segment, offset: head.length }
  return whileInFlight(archive, segment.file, async () => {
    const isTaken = archive.index.startingAt(archive.uid, segment.start) !== undefined
    if (isTaken) throw new Error('There is a segment of this moment')
    await writeWhole(join(streamFolder(archive.dataDir, archive.uid), segment.file), [head, ...parts])
    archive.index.add(numbers, kept, expires)
    return kept
  })
}

type Past = { file: string; recording: number; run: Pick<Run, 'key' | 'init'>; runOf: () => number }

/** Writes a file of past segments, whose bytes are `parts`, then their rows. `runOf` is called in between. */
export const keepPast = async (
  archive: StreamArchive,
  { file, recording, run, runOf }: Past,
  segments: readonly Omit<Segment, 'run' | 'file' | 'offset'>[],
  parts: readonly Uint8Array[],
): Promise<void> => {
  const head = fileHead(run, false)
  await whileInFlight(archive, file, async () => {
    await writeWhole(join(streamFolder(archive.dataDir, archive.uid), file), [head, ...parts])
    const id = runOf()
    let at = head.length
    const rows = segments.map((segment) => {
      const row = { ...segment, run: id, file, offset: at }
      at += segment.bytes
      return row
    })
    archive.index.addPast(recording, rows)
  })
}

/** Reads one segment; from memory if it isn't on disk. Throws if its file is gone. */
export const readSegment = async (folder: string, segment: Segment & { held?: Buffer }): Promise<Buffer> => {
  if (segment.held !== undefined) return segment.held.subarray(segment.offset, segment.offset + segment.bytes)
  const file = await open(join(folder, segment.file), 'r')
  try {
    const bytes = Buffer.alloc(segment.bytes)
    const { bytesRead } = await file.read(bytes, 0, segment.bytes, segment.offset)
    if (bytesRead !== segment.bytes) throw new Error('The segment is shorter than its row says')
    return bytes
  } finally {
    await file.close()
  }
}

/** Removes rows first, so that none lacks its file; files first if the disk is too full to delete rows. */
export const removeSegments = async (
  index: SegmentIndex,
  dataDir: string,
  segments: readonly KeptSegment[],
): Promise<void> => {
  const byRecording = Map.groupBy(segments, (each) => each.recording)
  for (const [recording, group] of byRecording) {
    const files = Map.groupBy(group, (each) => each.file)
    const pathOf = ([first]: typeof group) => join(streamFolder(dataDir, first?.uid ?? ''), first?.file ?? '')
    const removeRows = () =>
      index.remove(
        recording,
        group.map((each) => each.start),
      )
    try {
      removeRows()
    } catch (error) {
      if (!isDiskError(error)) throw error
      for (const rows of files.values()) await unlink(pathOf(rows)).catch(unless('ENOENT', 'ENOTEMPTY'))
      for (const [file, [first]] of files) if (first !== undefined) index.removeFile(first.uid, file)
    }
    const folders = new Set<string>()
    for (const [file, rows] of files) {
      if (index.isUsed(recording, file)) continue
      const path = pathOf(rows)
      await unlink(path).catch(unless('ENOENT', 'ENOTEMPTY'))
      folders.add(dirname(path))
    }
    for (const folder of folders) await rmdir(folder).catch(unless('ENOENT', 'ENOTEMPTY'))
  }
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => unless('ENOENT')(error) ?? false,
  )
