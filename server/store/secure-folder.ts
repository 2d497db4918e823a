import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { codeOf } from '../storage/folders.ts'
import { UsageError, whyUnreadable } from '../usage-error.ts'

const folderMode = 0o700
const fileMode = 0o600
const permissionBits = 0o777

/** Files in the data folder. */
export const databaseName = 'sightline.db'
/** In a backup, the dump of a PostgreSQL database. */
export const dumpName = 'sightline.dump'
export const keyName = 'server.key'
/** The private key that signs exports. */
export const signingKeyName = 'export.key'
/** An empty file, which the process that uses the data folder has locked. */
export const lockName = 'server.lock'
const files = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, keyName, signingKeyName, lockName]
const archive = 'archive'

/** The path of the database. Throws if there is none. */
export const requireDatabase = (dataDir: string): string => {
  const file = join(dataDir, databaseName)
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    const isAbsent = codeOf(error) === 'ENOENT'
    throw new UsageError(isAbsent ? `There is no database in ${dataDir}` : whyUnreadable(file, error))
  }
  return file
}

/** Writes the file of a key, whole or not at all. */
export const writeKeyFile = (file: string, content: string | Uint8Array): void => {
  const partial = `${file}.part`
  writeFileSync(partial, content, { mode: fileMode, flush: true })
  renameSync(partial, file)
}

const ErrorOfFile = z.object({ code: z.string() })

const restrict = (path: string, mode: number): string[] => {
  try {
    if ((statSync(path).mode & permissionBits) !== mode) chmodSync(path, mode)
    return []
  } catch (error) {
    const code = z.safeParse(ErrorOfFile, error).data?.code
    if (code === 'ENOENT') return []
    return [`${basename(path)} may be read by others, and that could not be changed (${code ?? 'unknown'})`]
  }
}

/**
 * Whether a folder is a data folder, or will be one: it is empty, or has only the disk for the archive mounted in it. A
 * home folder named by mistake keeps its permissions.
 */
const isDataFolder = (dataDir: string): boolean => {
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found' && name !== archive)
  return names.length === 0 || files.some((file) => names.includes(file))
}

/** Whether there is such a file, folder or link, also one that leads nowhere. */
const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Throws `UsageError` if `secureFolder` couldn't make the data folder, or a start write to it. Changes nothing. */
export const requireDataFolder = (dataDir: string): void => {
  for (const folder of [dataDir, join(dataDir, archive)]) {
    let nearest = folder
    try {
      while (!isThere(nearest)) nearest = dirname(nearest)
      if (!statSync(nearest).isDirectory()) throw new Error('not a folder')
      accessSync(nearest, constants.W_OK | constants.X_OK)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new UsageError(`DATA_DIR: ${nearest} can't be used (${reason})`, 'DATA_DIR')
    }
  }
}

/** Creates the data folder if needed, and restricts access to its owner. Returns messages about what failed. */
export const secureFolder = (dataDir: string): string[] => {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: folderMode })
  const own = isDataFolder(dataDir)
    ? restrict(dataDir, folderMode)
    : ['The data folder has files of other programs: its permissions were not changed']
  const recordings = join(dataDir, archive)
  mkdirSync(recordings, { recursive: true, mode: folderMode })
  const kept = files.flatMap((file) => restrict(join(dataDir, file), fileMode))
  return [...own, ...restrict(recordings, folderMode), ...kept]
}
