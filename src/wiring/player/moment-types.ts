import { readStored, writeStored } from '../../api/browser/storage.ts'
import { chooseMomentTypes, watchMomentTypes } from '../../views/timeline/moment-types.ts'

const key = 'player-moment-types'

/** Restores the types of annotations that the list shows, and stores them from now on. */
export function restoreMomentTypes(): void {
  const stored = readStored('local', key)
  if (Array.isArray(stored)) chooseMomentTypes(new Set(stored.filter((type) => typeof type === 'string')))
  watchMomentTypes((types) => writeStored('local', key, types.size === 0 ? null : [...types]))
}
