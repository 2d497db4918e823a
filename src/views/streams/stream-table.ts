import { deferred } from '../ui/deferred.ts'

/** The list as a table: the list opens as cards, unless this browser has kept the other view. */
export const streamTable = deferred(() => import('./StreamTable.tsx'))
