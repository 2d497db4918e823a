import { access, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { hourMs } from '../durations.ts'
import type { Allocate, RandomAccess } from './chunk-storage.ts'

export const archiveFolder = (dataDir: string): string => join(dataDir, 'archive')

/** The folder of a recording on a volume; `basename` guards against path traversal. */
export const folderIn = (volume: string, uid: string): string => join(volume, basename(uid))

export const streamFolder = (dataDir: string, uid: string): string => folderIn(archiveFolder(dataDir), uid)

const lastHour = { begin: Number.NaN, folder: '' }
/** The name of the hour folder for a moment: `2026112123`. Caches the last result, as chunks come in order. */
export const hourFolder = (moment: number): string => {
  const begin = moment - (moment % hourMs)
  if (lastHour.begin !== begin) {
    lastHour.folder = new Date(begin).toISOString().slice(0, 13).replace(/\D/g, '')
    lastHour.begin = begin
  }
  return lastHour.folder
}

export const isHourFolder = (name: string): boolean => /^\d{10}$/.test(name)

export const temporaryEnd = '.part'

/** File names in the folder of a recording: a sealed chunk, a spool with its journal, and a spool for live only. */
export const chunkFile = (start: number): string => `${hourFolder(start)}/${start}.mp4`
export const spoolFile = (start: number): string => `${start}.spool`
export const journalFile = (start: number): string => `${start}.journal`
export const liveFile = (start: number): string => `${start}.live`

/** Whether a file is kept after its recorder has died. `file` is empty for a segment in memory. */
export const isKeptFile = (file: string): boolean => file !== '' && !file.endsWith('.live')

/** The path that a spool gets as a sealed chunk; undefined for other files. */
export const sealedFile = (file: string): string | undefined =>
  file.endsWith('.spool') ? chunkFile(Number.parseInt(file, 10)) : undefined

const FileError = z.object({ code: z.string(), syscall: z.string() })
/** The code of an error of the file system, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined => z.safeParse(FileError, error).data?.code

/** For `catch`: undefined for errors with these codes; rethrows others. */
export const ignoring =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (codes.includes(codeOf(error) ?? '')) return undefined
    throw error
  }

/** Syncs the names in a folder, so that they survive a power loss. Does nothing where folders can't be synced. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r').catch(ignoring('EISDIR', 'EPERM', 'EACCES', 'ENOENT'))
  try {
    await handle?.sync().catch(ignoring('EINVAL', 'EPERM', 'ENOTSUP'))
  } finally {
    await handle?.close()
  }
}

/** Makes a folder and its parents, and syncs those that it made. */
export const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Writes all bytes at an offset, as one call may write fewer. */
export const writeAt = async (file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> => {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

/** Reads up to `length` bytes at an offset; fewer at the end of the file. */
export const readAt = async (
  file: RandomAccess,
  offset: number,
  length: number,
  allocate: Allocate = Buffer.allocUnsafeSlow,
): Promise<Buffer> => {
  const bytes = allocate(length)
  const { bytesRead } = await file.read(bytes, 0, length, offset)
  return bytes.subarray(0, bytesRead)
}

/** Writes a file atomically: temporary name, sync, rename, sync of the folder. */
export const writeWhole = async (path: string, parts: readonly Uint8Array[]): Promise<void> => {
  await makeFolder(dirname(path))
  const temporary = `${path}${temporaryEnd}`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      let offset = 0
      for (const part of parts) {
        await writeAt(file, part, offset)
        offset += part.length
      }
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

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => ignoring('ENOENT')(error) ?? false,
  )
