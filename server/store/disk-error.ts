import * as z from 'zod/mini'
import { StoreAway, UnusableDatabase } from './connection.ts'

const SqliteError = z.object({ errcode: z.number() })
const FullDiskError = z.object({ code: z.enum(['ENOSPC', 'EDQUOT']) })
const FileError = z.union([FullDiskError, z.object({ code: z.enum(['EROFS', 'EIO']) })])
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const diskCodes: ReadonlySet<number> = new Set([8, 10, 13, 14])

/** The primary result code of an SQLite error; undefined for other errors. */
export const sqliteCode = (error: unknown): number | undefined => {
  const code = z.safeParse(SqliteError, error).data?.errcode
  return code === undefined ? undefined : code & 0xff
}

/** Whether an error means that the disk can't be written to: it is full, read-only or gone. */
export const isDiskError = (error: unknown): boolean => {
  const code = sqliteCode(error)
  return code === undefined ? z.safeParse(FileError, error).success : diskCodes.has(code)
}

export const isFullDisk = (error: unknown): boolean => z.safeParse(FullDiskError, error).success

/** SQLITE_BUSY: another process, such as a command, has been writing for too long. */
const busyCode = 5

/** Whether an error means that nothing can be written now, and that a retry may succeed. */
export const isWriteError = (error: unknown): boolean =>
  error instanceof StoreAway || isDiskError(error) || sqliteCode(error) === busyCode

/** The same of the database only, and not of a disk with recordings. */
export const isStoreWriteError = (error: unknown): boolean =>
  error instanceof StoreAway || (sqliteCode(error) !== undefined && isWriteError(error))

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes: ReadonlySet<number> = new Set([11, 26])

/** The error of opening a database; `UnusableDatabase` if its file is damaged, or isn't a database. */
export const unusableIfDamaged = (error: unknown): unknown => {
  if (!damagedCodes.has(sqliteCode(error) ?? 0)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new UnusableDatabase(`The database can't be read: ${reason}`, { cause: error })
}
