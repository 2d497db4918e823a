import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json.ts'
import { answered } from './answered.ts'
import { chunkFile, exists, folderIn, ignoring } from './folders.ts'
import { ownVolume } from './volume-list.ts'
import type { VolumeRows } from './volume-rows.ts'

/** A note in a mount point, so that a disk that is mounted there hides it. */
const noteOf = (path: string): string => join(path, 'sightline-not-mounted.json')
/** `since`: everything that begins later is recorded to the mount point itself, epoch milliseconds. */
const Note = z.object({ since: z.number() })

const readNote = async (path: string): Promise<number | undefined> => {
  const text = await answered('read', readFile(noteOf(path), 'utf8')).catch(ignoring('ENOENT', 'ENOTDIR'))
  return text === undefined ? undefined : parseJson(Note, text)?.since
}

/** Whether a folder exists and has no recordings. The root of a file system has a `lost+found` of its own. */
const isEmptyFolder = async (path: string): Promise<boolean> => {
  const entries = await answered('readdir', readdir(path, { withFileTypes: true })).catch(ignoring('ENOENT'))
  return entries?.every((entry) => !entry.isDirectory() || entry.name === 'lost+found') === true
}

/**
 * The archive of the data folder, which has no marker. If it has no recordings at a start although the index has, it is
 * taken for a mount point without its disk: recording goes on there, and no rows are removed for want of their files,
 * also after further starts, until the disk is mounted or the note is deleted.
 */
export const openOwnFolder = async (rows: Pick<VolumeRows, 'newestOn'>, path: string) => {
  let since = await readNote(path).catch(() => undefined)
  if (since !== undefined || (await isEmptyFolder(path).catch(() => false))) {
    const newest = await rows.newestOn(ownVolume)
    const files = newest.map(({ uid, start }) => join(folderIn(path, uid), chunkFile(start)))
    const isAny = (await Promise.all(files.map((file) => exists(file).catch(() => true)))).some(Boolean)
    // The newest ones lie here if this isn't the first start without the disk.
    if (newest.length > 0 && !isAny) {
      since = Math.max(...newest.map(({ start }) => start)) + 1
      const note: z.output<typeof Note> = { since }
      await writeFile(noteOf(path), `${JSON.stringify(note)}\n`, { mode: 0o600 }).catch(() => undefined)
    }
  }
  /** Where the note could not be written, an empty folder is still the mount point. */
  const isMounted = async (): Promise<boolean> =>
    since === undefined || ((await readNote(path)) === undefined && !(await isEmptyFolder(path)))

  return {
    isMounted,
    /** Since when recordings are written to the mount point; undefined if the disk is mounted. */
    unmountedSince: (): number | undefined => since,
    /** True once the disk has been mounted. */
    hasReturned: async (): Promise<boolean> => {
      if (since === undefined || !(await isMounted().catch(() => false))) return false
      since = undefined
      return true
    },
  }
}
