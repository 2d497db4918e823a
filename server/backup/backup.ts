import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { archiveFolder, syncFolder } from '../storage/folders.ts'
import { checkDatabase, copyDatabase } from '../store/copy.ts'
import { dumpDatabase } from '../store/dump.ts'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName, dumpName, keyName, requireDatabase, signingKeyName } from '../store/secure-folder.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { countOldSegments, listChunks } from './chunk-list.ts'
import { chunksName, entryOf, manifestName, type Manifest } from './manifest.ts'
import type { TaskControl } from './task-control.ts'

/** Where a server's data is: keys and recordings in the data folder, the database there too or in PostgreSQL. */
export type DataLocation = { dataDir: string; databaseUrl?: string | undefined }

export const sync = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const copyDatabaseFile = async (dataDir: string, database: string): Promise<void> => {
  await copyDatabase(join(dataDir, databaseName), database)
  const problems = checkDatabase(database)
  if (problems.length > 0) throw new Error(`The database is damaged: ${problems.join('; ')}`)
}

const writeContents = async (
  location: DataLocation,
  folder: string,
  control: TaskControl,
): Promise<Manifest | undefined> => {
  const { dataDir, databaseUrl } = location
  const { signal, report } = control
  const databaseFile = databaseUrl === undefined ? databaseName : dumpName
  const database = join(folder, databaseFile)
  report('Copying the database')
  if (databaseUrl === undefined) await copyDatabaseFile(dataDir, database)
  else {
    await writeFile(database, '', { mode: 0o600 })
    await dumpDatabase(databaseUrl, database, signal)
  }
  if (signal.aborted) return undefined
  // The data folder of an older version has no key that signs exports.
  const keys = [keyName, signingKeyName].filter((name) => name === keyName || existsSync(join(dataDir, name)))
  for (const name of keys) await copyFile(join(dataDir, name), join(folder, name))
  report('Listing the recordings')
  // PostgreSQL is asked after its dump: the lists also have newer chunks, and lack those that were deleted meanwhile.
  const store = await openDatabaseOf(database, { databaseUrl })
  try {
    const volumes = await listChunks(store, folder, archiveFolder(dataDir), control)
    const old = await countOldSegments(store)
    if (old > 0)
      report(
        `${old} segments of an older version aren't listed: make another backup once they are repacked into chunks`,
      )
    // Before the files are synced and hashed: closing may still write to them.
    await store.close()
    const names = [databaseFile, ...keys, ...volumes.map(({ id }) => chunksName(id))]
    for (const name of names) await sync(join(folder, name))
    const files = await Promise.all(names.map((name) => entryOf(folder, name)))
    return { format: 1, version, made: new Date().toISOString(), files, volumes }
  } finally {
    await store.close()
  }
}

/**
 * Writes a backup of a server, also while the server runs: a snapshot of the database, the keys, and lists of chunks.
 * The folder gets its name once it is complete. Undefined if it was stopped.
 */
export const makeBackup = async (
  location: DataLocation,
  target: string,
  control: TaskControl,
): Promise<Manifest | undefined> => {
  const { dataDir, databaseUrl } = location
  const folder = resolve(target)
  if (databaseUrl === undefined) requireDatabase(dataDir)
  if (!existsSync(join(dataDir, keyName))) throw new UsageError(`There is no ${keyName} in ${dataDir}`)
  if (existsSync(folder)) throw new UsageError(`${folder} already exists: choose a new folder`)
  const partial = `${folder}.part`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    const manifest = await writeContents(location, partial, control)
    if (manifest === undefined || control.signal.aborted) return undefined
    await writeFile(join(partial, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    await syncFolder(partial)
    await rename(partial, folder)
    await syncFolder(join(folder, '..'))
    return manifest
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
