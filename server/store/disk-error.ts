import * as z from 'zod/mini'
import { StoreAway } from './connection.ts'

const ErrorOfDatabase = z.object({ errcode: z.number() })
const ErrorOfFile = z.object({ code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']) })
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN; the lowest eight bits of the code. */
const codesOfDisk: ReadonlySet<number> = new Set([8, 10, 13, 14])

/** Whether an error means that the disk can't be written: full, read-only or gone. */
export const isDiskError = (error: unknown): boolean => {
  const { data } = z.safeParse(ErrorOfDatabase, error)
  return data === undefined ? z.safeParse(ErrorOfFile, error).success : codesOfDisk.has(data.errcode & 0xff)
}

/** Whether an error means that nothing can be written now, and that it may be tried again. */
export const isWriteError = (error: unknown): boolean => error instanceof StoreAway || isDiskError(error)
