const reasonOf = (lock: unknown): readonly string[] =>
  typeof lock === 'object' && lock !== null && 'reason' in lock && typeof lock.reason === 'string' ? [lock.reason] : []

/** Of a purge that is refused because of locks (docs/wire.md §6); none where it is refused for other reasons. */
export const reasonsIn = ({ locks }: Record<string, unknown>): readonly string[] =>
  Array.isArray(locks) ? locks.flatMap(reasonOf) : []
