import { access, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { hourMs } from '../durations.ts'
import type { RandomAccess } from './chunk-storage.ts'

export const archiveFolder = (dataDir: string): string => join(dataDir, 'archive')

/** Folder of one stream's video on a volume; `basename` guards against path traversal. */
export const folderIn = (volume: string, uid: string): string => join(volume, basename(uid))

export const streamFolder = (dataDir: string, uid: string): string => folderIn(archiveFolder(dataDir), uid)

const lastHour = { begin: Number.NaN, folder: '' }
/** Caches the last result, as chunks arrive in order. */
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

/** File names in a stream's folder: a sealed chunk, a spool with its journal, and a live-only spool. */
export const chunkFile = (start: number): string => `${hourFolder(start)}/${start}.mp4`
export const spoolFile = (start: number): string => `${start}.spool`
export const journalFile = (start: number): string => `${start}.journal`
export const liveFile = (start: number): string => `${start}.live`

/** Whether a file is kept after its recorder died. */
export const isKeptFile = (file: string): boolean => file !== '' && !file.endsWith('.live')

/** The path of a chunk once it is sealed; undefined for other files. */
export const sealedFile = (file: string): string | undefined =>
  file.endsWith('.spool') ? chunkFile(Number.parseInt(file, 10)) : undefined

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

export const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Writes all bytes at an offset; a file may take fewer at a time. */
export const writeAt = async (file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> => {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

export const readAt = async (file: RandomAccess, offset: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length)
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

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => unless('ENOENT')(error) ?? false,
  )
