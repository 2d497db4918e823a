import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { UsageError } from '../usage-error.ts'

const folderMode = 0o700
const fileMode = 0o600
const permissionBits = 0o777

/** Files in the data folder. */
export const databaseName = 'sightline.db'
/** Of a backup, instead of the file. */
export const dumpName = 'sightline.dump'
export const keyName = 'server.key'
/** What exports are signed with. */
export const signingKeyName = 'export.key'
const files = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`, keyName, signingKeyName]
const archive = 'archive'

/** The file of the database, which must be there. */
export const requireDatabase = (dataDir: string): string => {
  const file = join(dataDir, databaseName)
  if (!existsSync(file)) throw new UsageError(`There is no database in ${dataDir}`)
  return file
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

/** A folder named by mistake, such as a home, keeps its permissions. */
const isOurs = (dataDir: string): boolean => {
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found')
  return names.length === 0 || files.some((file) => names.includes(file))
}

/** Creates the data folder and restricts access to its owner, also of an existing one. Returns the failures. */
export const secureFolder = (dataDir: string): string[] => {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: folderMode })
  const own = isOurs(dataDir)
    ? restrict(dataDir, folderMode)
    : ["The data folder holds other things than this server's: who may read it was left as it was"]
  const recordings = join(dataDir, archive)
  mkdirSync(recordings, { recursive: true, mode: folderMode })
  const kept = files.flatMap((file) => restrict(join(dataDir, file), fileMode))
  return [...own, ...restrict(recordings, folderMode), ...kept]
}
