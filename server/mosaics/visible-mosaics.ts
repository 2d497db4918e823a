import type { Caller } from '../access/access.ts'

/** An SQL condition on the table `mosaics`, with its parameters, for the mosaics that a caller may see. */
export const visibleMosaics = (caller: Caller): { sql: string; values: string[] } => {
  if (caller.kind !== 'user') return { sql: 'FALSE', values: [] }
  return caller.isAdmin ? { sql: 'TRUE', values: [] } : { sql: 'mosaics.owner = ?', values: [caller.login] }
}
