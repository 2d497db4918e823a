import { existsSync } from 'node:fs'
import { access, copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isBucketUrl, nameOfBucket } from '../storage/bucket-url.ts'
import { archiveFolder, syncFolder } from '../storage/folders.ts'
import { ownVolume } from '../storage/volume-list.ts'
import { checkDatabase } from '../store/copy.ts'
import { restoreDump } from '../store/dump.ts'
import { databaseName, dumpName, keyName, secureFolder, signingKeyName } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import type { DataLocation, Steps } from './backup.ts'
import { chunksName, sumOf, verifiedManifest, type Manifest } from './manifest.ts'

/** Of a volume: the recordings that the backup knows, and how many of them are there. */
export type Found = { id: number; path: string; chunks: number; there: number; list: string }

/** Of the data folder; the database last. */
const keys = [signingKeyName, keyName]
const kept = [...keys, databaseName]

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

/** Of a lost database alone the data folder and its keys are still there. */
const missingKeys = async (files: Manifest['files'], dataDir: string): Promise<string[]> => {
  const missing: string[] = []
  for (const { name, sha256 } of files.filter((file) => keys.includes(file.name))) {
    if (!existsSync(join(dataDir, name))) missing.push(name)
    else if ((await sumOf(join(dataDir, name))) !== sha256) {
      throw new UsageError(`${dataDir} has another ${name} than the backup: name a new folder`)
    }
  }
  return missing
}

/**
 * Puts a backup into a data folder without a database, or an empty PostgreSQL, after every file of it was compared.
 * Answers what it found of the recordings; undefined if it was stopped, and then all is as it was.
 */
export const restoreBackup = async (
  backup: string,
  { dataDir, databaseUrl }: DataLocation,
  { signal, report }: Steps,
): Promise<Found[] | undefined> => {
  const taken =
    databaseUrl === undefined ? kept.toReversed().find((name) => existsSync(join(dataDir, name))) : undefined
  if (taken !== undefined) throw new UsageError(`${dataDir} has a ${taken} already: name a new folder`)
  report('Comparing the files of the backup')
  const { files, volumes } = await verifiedManifest(backup)
  const isDump = files.some(({ name }) => name === dumpName)
  if (isDump && databaseUrl === undefined) {
    throw new UsageError('The backup is of a PostgreSQL: name an empty one in DATABASE_URL')
  }
  if (!isDump && databaseUrl !== undefined) throw new UsageError('The backup is of a file: unset DATABASE_URL')
  const wanted = databaseUrl === undefined ? kept : await missingKeys(files, dataDir)
  if (signal.aborted) return undefined
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const partial = join(dataDir, 'restore.part')
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: 0o700 })
  try {
    report('Copying the database and the keys')
    const copied = wanted.filter((name) => files.some((file) => file.name === name))
    for (const name of copied) await copyFile(join(backup, name), join(partial, name))
    if (databaseUrl === undefined) {
      const faults = checkDatabase(join(partial, databaseName))
      if (faults.length > 0) throw new Error(`The database of the backup is damaged: ${faults.join('; ')}`)
    } else await restoreDump(databaseUrl, join(backup, dumpName), signal)
    if (signal.aborted) return undefined
    // With the database the folder is one of the server's.
    for (const name of copied) await rename(join(partial, name), join(dataDir, name))
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  secureFolder(dataDir)
  await syncFolder(dataDir)
  report('Looking for the recordings')
  const found: Found[] = []
  for (const { id, path, chunks } of volumes) {
    if (isBucketUrl(path)) {
      report(`${chunks} chunks are in ${nameOfBucket(path)}; "sightline repair" lists it, and finds those added since`)
      continue
    }
    const folder = id === ownVolume ? archiveFolder(dataDir) : path
    const list = join(backup, chunksName(id))
    found.push({ id, path: folder, list, ...(await countThere(list, folder)) })
  }
  return found
}
