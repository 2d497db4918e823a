const reasonOf = (lock: unknown): readonly string[] =>
  typeof lock === 'object' && lock !== null && 'reason' in lock && typeof lock.reason === 'string' ? [lock.reason] : []

/**
 * The reasons of the locks for which a purge was refused (docs/wire.md §6); empty if it was refused for another cause.
 */
export const reasonsIn = ({ locks }: Record<string, unknown>): readonly string[] =>
  Array.isArray(locks) ? locks.flatMap(reasonOf) : []
