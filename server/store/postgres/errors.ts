import * as z from 'zod/mini'
import { StoreAway, StoreError } from '../connection.ts'

const CodedError = z.object({ code: z.string(), message: z.string() })

/**
 * Connection, resources, intervention of an administrator, system; then a server that only reads, a transaction that
 * was silent for too long, one that was chosen to end, and a lock that wasn't had in time.
 */
const isAway = (code: string): boolean =>
  /^(?:08|53|57|58)/.test(code) || ['25006', '25P03', '40001', '40P01', '55P03'].includes(code)

/** PostgreSQL's error of a statement; all other errors are the connection's and have a code only. */
export const errorOf = (error: unknown): StoreError => {
  const { data } = z.safeParse(CodedError, error)
  if (data === undefined) return new StoreAway('the connection broke')
  // Node's codes, such as ECONNREFUSED, are longer than the five signs of PostgreSQL's.
  if (!/^[0-9A-Z]{5}$/.test(data.code)) return new StoreAway(data.code)
  return isAway(data.code) ? new StoreAway(data.message) : new StoreError(data.message)
}
