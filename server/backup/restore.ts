import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { isBucketUrl, nameOfBucket } from '../storage/bucket-url.ts'
import { archiveFolder, chunkFile, syncFolder } from '../storage/folders.ts'
import { readMarker } from '../storage/volume-files.ts'
import { ownVolume } from '../storage/volume-list.ts'
import { checkDatabase } from '../store/copy.ts'
import { restoreDump } from '../store/dump.ts'
import { lockForCommand } from '../store/data-lock.ts'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName, dumpName, keyName, secureFolder, signingKeyName } from '../store/secure-folder.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import { sync, type DataLocation } from './backup.ts'
import { chunksName, sha256Of, verifiedManifest, type Manifest } from './manifest.ts'
import type { TaskControl } from './task-control.ts'

/** A volume: how many chunks the backup lists, and how many of them are complete. `list`: the file that lists them. */
export type VolumeReport = { id: number; path: string; chunks: number; present: number; list: string }

const keys = [signingKeyName, keyName]
/** The files of a data folder. The database is last: a folder with it counts as the folder of a server. */
const dataFiles = [...keys, databaseName]
/** SQLite would write what a killed server left in this log into the restored database. */
const databaseLog = `${databaseName}-wal`

const ChunkRow = z.object({ start: z.number(), bytes: z.number() })
const VolumeRow = z.object({ id: z.number(), key: z.string() })

/** The sizes of a recording's chunks, by their lines in a list. */
const sizesOf = async (store: Store, uid: string): Promise<Map<string, number>> => {
  const query = 'SELECT start, bytes FROM chunks WHERE recording = (SELECT id FROM recordings WHERE uid = ?)'
  const rows = await store.all(ChunkRow, query, uid)
  return new Map(rows.map(({ start, bytes }) => [`${uid}/${chunkFile(start)}`, bytes]))
}

/** How many files are looked at together, as each look waits for the disk. */
const chunksAtOnce = 1000

/** `size`: in the index. The list of a PostgreSQL backup may have chunks that its dump lacks. */
const isComplete = (file: string, size: number | undefined): Promise<boolean> =>
  stat(file).then(
    (found) => found.size === (size ?? found.size),
    () => false,
  )

/** `of`: how many chunks the list has. */
const countPresent = async (
  store: Store,
  { list, folder, of }: { list: string; folder: string; of: number },
  { signal, onProgress }: Pick<TaskControl, 'signal' | 'onProgress'>,
): Promise<{ chunks: number; present: number }> => {
  const count = { chunks: 0, present: 0 }
  let asked: Promise<boolean>[] = []
  const settle = async (): Promise<void> => {
    const found = await Promise.all(asked)
    asked = []
    count.chunks += found.length
    count.present += found.filter(Boolean).length
    if (found.length > 0 && !signal.aborted) onProgress({ done: count.chunks, of })
  }
  const input = (await open(list)).createReadStream()
  let [uid, sizes] = ['', new Map<string, number>()]
  try {
    for await (const line of createInterface({ input })) {
      if (signal.aborted) break
      if (!line.includes('/')) continue
      const [recording = ''] = line.split('/')
      if (recording !== uid) [uid, sizes] = [recording, await sizesOf(store, recording)]
      asked.push(isComplete(join(folder, line), sizes.get(line)))
      if (asked.length === chunksAtOnce) await settle()
    }
    await settle()
  } finally {
    input.destroy()
  }
  return count
}

/** The keys that a data folder lacks. It has them all if only the PostgreSQL database was lost. */
const missingKeys = async (files: Manifest['files'], dataDir: string): Promise<string[]> => {
  const missing: string[] = []
  for (const { name, sha256 } of files.filter((file) => keys.includes(file.name))) {
    if (!existsSync(join(dataDir, name))) missing.push(name)
    else if ((await sha256Of(join(dataDir, name))) !== sha256) {
      throw new UsageError(`The ${name} in ${dataDir} is not that of the backup: choose a new folder`)
    }
  }
  return missing
}

const refuseExisting = ({ dataDir, databaseUrl }: DataLocation): void => {
  if (databaseUrl !== undefined) return
  const existing = [databaseName, databaseLog, ...keys].find((name) => existsSync(join(dataDir, name)))
  if (existing === undefined) return
  throw new UsageError(
    `${dataDir} has a ${existing} already: stop its server and move the folder away, or choose a new one`,
  )
}

/** Puts the named files of a backup and its database in place. Returns false if it was stopped: nothing has changed. */
const restoreFiles = async (
  backup: string,
  names: readonly string[],
  { dataDir, databaseUrl }: DataLocation,
  signal: AbortSignal,
): Promise<boolean> => {
  const partial = join(dataDir, 'restore.part')
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: 0o700 })
  try {
    for (const name of names) {
      await copyFile(join(backup, name), join(partial, name))
      await sync(join(partial, name))
    }
    if (databaseUrl === undefined) {
      const problems = checkDatabase(join(partial, databaseName))
      if (problems.length > 0) throw new Error(`The database of the backup is damaged: ${problems.join('; ')}`)
      if (signal.aborted) return false
    } else if (!(await restoreDump(databaseUrl, join(backup, dumpName), signal))) return false
    for (const name of names) await rename(join(partial, name), join(dataDir, name))
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  secureFolder(dataDir)
  await syncFolder(dataDir)
  return true
}

/** Where the volumes are on this machine, if not where they were: a disk may be mounted elsewhere, with its marker. */
const mountedVolumes = async (store: Store, folders: readonly string[]): Promise<ReadonlyMap<number, string>> => {
  const known = await store.all(VolumeRow, 'SELECT id, key FROM volumes WHERE id > 0')
  const found = new Map<number, string>()
  for (const path of folders) {
    const marker = await readMarker(path).catch(() => undefined)
    const volume = known.find(({ key }) => key === marker)
    if (volume !== undefined) found.set(volume.id, path)
  }
  return found
}

/**
 * Verifies a backup, then restores it into a data folder without a database, or into an empty PostgreSQL database, and
 * counts the chunks that are complete, until it is stopped. Undefined if it was stopped before: then nothing has
 * changed. Throws `UsageError` if a server runs on the folder.
 */
export const restoreBackup = async (
  backup: string,
  { dataDir, databaseUrl, archiveDirs = [] }: DataLocation & { archiveDirs?: readonly string[] },
  control: TaskControl,
): Promise<VolumeReport[] | undefined> => {
  const { signal, report } = control
  refuseExisting({ dataDir, databaseUrl })
  report('Verifying the files of the backup')
  const { files, volumes } = await verifiedManifest(backup)
  const isDump = files.some(({ name }) => name === dumpName)
  if (isDump && databaseUrl === undefined) {
    throw new UsageError('The backup is of PostgreSQL: set DATABASE_URL to an empty database')
  }
  if (!isDump && databaseUrl !== undefined) throw new UsageError('The backup is of SQLite: unset DATABASE_URL')
  const names = databaseUrl === undefined ? dataFiles : await missingKeys(files, dataDir)
  if (signal.aborted) return undefined
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const release = lockForCommand(dataDir)
  try {
    // Verifying may have taken long.
    refuseExisting({ dataDir, databaseUrl })
    report('Restoring the database and the keys')
    const given = names.filter((name) => files.some((file) => file.name === name))
    if (!(await restoreFiles(backup, given, { dataDir, databaseUrl }, signal))) return undefined
  } finally {
    release()
  }
  report('Counting the recordings')
  const reports: VolumeReport[] = []
  const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl }).catch((error: unknown) => {
    report(`Restored, but the recordings can't be counted: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  })
  if (store === undefined) return reports
  try {
    const mounted = await mountedVolumes(store, archiveDirs)
    for (const { id, path, chunks } of volumes) {
      if (signal.aborted) break
      if (isBucketUrl(path)) {
        report(`${chunks} chunks are in ${nameOfBucket(path)}; "sightline repair" finds those added since the backup`)
        continue
      }
      const folder = id === ownVolume ? archiveFolder(dataDir) : (mounted.get(id) ?? path)
      const list = join(backup, chunksName(id))
      const count = await countPresent(store, { list, folder, of: chunks }, control)
      // A part of the count would name chunks as missing that are present.
      if (signal.aborted) break
      reports.push({ id, path: folder, list, ...count })
    }
  } finally {
    await store.close()
  }
  return reports
}
