import { open, readdir, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDisk } from './answered.ts'
import { moveToLostAndFound } from './lost-and-found.ts'
import { OtherChunk, type ChunkStorage } from './chunk-storage.ts'
import { folderIn, isHourFolder, readAt, ignoring, writeWhole } from './folders.ts'

/** Chunks in the folders of a volume. What only reads or deletes rejects if the disk hangs. */
export const createFolderStorage = (volume: string): ChunkStorage => {
  const disk = createDisk()
  const pathOf = (uid: string, file: string): string => join(folderIn(volume, uid), file)

  const withFile: ChunkStorage['withFile'] = async (uid, file, work) => {
    const handle = await disk('open', () => open(pathOf(uid, file), 'r'), {
      onLate: (late) => void late.close().catch(() => undefined),
    })
    try {
      return await work(handle)
    } finally {
      // A file that is never closed ends the process when it is collected.
      await disk('close', () => handle.close(), { isDue: true })
    }
  }
  const read: ChunkStorage['read'] = (uid, file, { offset, bytes }, { allocate } = {}) =>
    withFile(uid, file, async (opened) => {
      const found = await disk('read', () => readAt(opened, offset, bytes, allocate))
      if (found.length !== bytes) throw new Error('The segment is shorter than its row says')
      return found
    })
  const sizeOf: ChunkStorage['sizeOf'] = async (uid, file) =>
    (await disk('stat', () => stat(pathOf(uid, file))).catch(ignoring('ENOENT', 'ENOTDIR')))?.size

  const remove: ChunkStorage['remove'] = async (uid, files) => {
    for (const file of files) await disk('unlink', () => unlink(pathOf(uid, file))).catch(ignoring('ENOENT'))
    for (const folder of new Set(files.map((file) => dirname(pathOf(uid, file)))))
      await disk('rmdir', () => rmdir(folder)).catch(ignoring('ENOENT', 'ENOTEMPTY'))
  }

  return {
    withFile,
    read,
    sizeOf,
    put: async (uid, file, bytes) => {
      const size = await sizeOf(uid, file)
      if (size === undefined) {
        await writeWhole(pathOf(uid, file), [bytes])
        return
      }
      const isSame = size === bytes.length && bytes.equals(await read(uid, file, { offset: 0, bytes: size }))
      if (!isSame) throw new OtherChunk(`There is another chunk ${file} of ${uid}`)
    },
    remove,
    removeAll: async (chunks) => {
      for (const [uid, own] of Map.groupBy(chunks, (chunk) => chunk.uid))
        await remove(
          uid,
          own.map(({ file }) => file),
        )
    },
    moveToLostAndFound: async (uid, file) => {
      await moveToLostAndFound(folderIn(volume, uid), file)
    },
    recordings: async () => {
      const entries =
        (await disk('readdir', () => readdir(volume, { withFileTypes: true })).catch(ignoring('ENOENT'))) ?? []
      // The root of a file system has a `lost+found` of its own.
      return entries.flatMap((entry) => (entry.isDirectory() && entry.name !== 'lost+found' ? entry.name : []))
    },
    hours: async (uid) => {
      const names = (await disk('readdir', () => readdir(folderIn(volume, uid))).catch(ignoring('ENOENT'))) ?? []
      return names.filter(isHourFolder)
    },
    names: async (uid, hour) =>
      (await disk('readdir', () => readdir(pathOf(uid, hour))).catch(ignoring('ENOENT'))) ?? [],
  }
}
