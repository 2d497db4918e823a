import * as z from 'zod/mini'
import { StoreAway } from './connection.ts'

const ErrorOfDatabase = z.object({ errcode: z.number() })
const ErrorOfFile = z.object({ code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']) })
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const codesOfDisk: ReadonlySet<number> = new Set([8, 10, 13, 14])

/** What SQLite calls an error, without the details of extended codes; undefined for errors of others. */
export const sqliteCode = (error: unknown): number | undefined => {
  const code = z.safeParse(ErrorOfDatabase, error).data?.errcode
  return code === undefined ? undefined : code & 0xff
}

/** Whether an error means that the disk can't be written: full, read-only or gone. */
export const isDiskError = (error: unknown): boolean => {
  const code = sqliteCode(error)
  return code === undefined ? z.safeParse(ErrorOfFile, error).success : codesOfDisk.has(code)
}

/** Whether an error means that nothing can be written now, and that it may be tried again. */
export const isWriteError = (error: unknown): boolean => error instanceof StoreAway || isDiskError(error)
