import { existsSync } from 'node:fs'
import { access, copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archiveFolder, syncFolder } from '../archive/folders.ts'
import { ownVolume } from '../archive/volume-list.ts'
import { checkDatabase } from '../store/copy.ts'
import { databaseName, keyName, secureFolder, signingKeyName } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import type { Steps } from './backup.ts'
import { chunksName, verifiedManifest } from './manifest.ts'

/** Of a volume: the recordings that the backup knows, and how many of them are in their place. */
export type Found = { id: number; path: string; chunks: number; there: number; list: string }

/** Of the data folder; the database last. */
const kept = [signingKeyName, keyName, databaseName]

const countThere = async (list: string, folder: string): Promise<{ chunks: number; there: number }> => {
  const count = { chunks: 0, there: 0 }
  const file = await open(list)
  try {
    for await (const line of file.readLines()) {
      if (!line.includes('/')) continue
      count.chunks += 1
      const isThere = await access(join(folder, line)).then(
        () => true,
        () => false,
      )
      if (isThere) count.there += 1
    }
  } finally {
    await file.close()
  }
  return count
}

/**
 * Puts a backup into a data folder without a database, after every file of it was compared. Answers what it found of
 * the recordings; undefined if it was stopped, and then the folder is as it was.
 */
export const restoreBackup = async (
  backup: string,
  dataDir: string,
  { signal, report }: Steps,
): Promise<Found[] | undefined> => {
  for (const name of kept.toReversed()) {
    if (existsSync(join(dataDir, name))) throw new UsageError(`${dataDir} has a ${name} already: name a new folder`)
  }
  report('Comparing the files of the backup')
  const { files, volumes } = await verifiedManifest(backup)
  if (signal.aborted) return undefined
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const partial = join(dataDir, 'restore.part')
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: 0o700 })
  try {
    report('Copying the database and the keys')
    const wanted = files.filter(({ name }) => kept.includes(name))
    for (const { name } of wanted) await copyFile(join(backup, name), join(partial, name))
    const faults = checkDatabase(join(partial, databaseName))
    if (faults.length > 0) throw new Error(`The database of the backup is damaged: ${faults.join('; ')}`)
    if (signal.aborted) return undefined
    // With the database the folder is one of the server's.
    const inOrder = wanted.toSorted((a, b) => kept.indexOf(a.name) - kept.indexOf(b.name))
    for (const { name } of inOrder) await rename(join(partial, name), join(dataDir, name))
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  secureFolder(dataDir)
  await syncFolder(dataDir)
  report('Looking for the recordings')
  const found: Found[] = []
  for (const { id, path } of volumes) {
    const folder = id === ownVolume ? archiveFolder(dataDir) : path
    const list = join(backup, chunksName(id))
    found.push({ id, path: folder, list, ...(await countThere(list, folder)) })
  }
  return found
}
