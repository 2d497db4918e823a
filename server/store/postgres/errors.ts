import * as z from 'zod/mini'
import { StoreAway, StoreError } from '../connection.ts'

const CodedError = z.object({ code: z.string(), message: z.string() })

/**
 * Classes 08, 53, 57 and 58: connection, resources, intervention of an operator, system. 25006: a read-only server;
 * 25P03: an idle transaction; 40001, 40P01: a serialization failure or a deadlock; 55P03: a lock not available.
 */
const isAway = (code: string): boolean =>
  /^(?:08|53|57|58)/.test(code) || ['25006', '25P03', '40001', '40P01', '55P03'].includes(code)

/** PostgreSQL's codes have five characters and a digit; Node's, such as ECONNREFUSED or EPIPE, have no digit. */
const isOfServer = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

/** Of this machine: no more files or ports, or a name that can't be looked up just now. */
const ownFaults = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EAI_AGAIN']

/** Whether the error of a new connection says that PostgreSQL isn't there: neither its own answer nor our own fault. */
export const isGone = (error: unknown): boolean => {
  const code = z.safeParse(CodedError, error).data?.code ?? ''
  return !isOfServer(code) && !ownFaults.includes(code)
}

/** Converts an error of the client: PostgreSQL's has a message, one of the connection only a code. */
export const errorOf = (error: unknown): StoreError => {
  const { data } = z.safeParse(CodedError, error)
  if (data === undefined) return new StoreAway('the connection broke')
  if (!isOfServer(data.code)) return new StoreAway(data.code)
  return isAway(data.code) ? new StoreAway(data.message) : new StoreError(data.message)
}
