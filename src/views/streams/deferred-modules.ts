import { deferred } from '../ui/deferred.ts'

/** The list as a table: the list opens as cards, unless this browser has kept the other view. */
export const streamTable = deferred(() => import('./StreamTable.tsx'))

/** What is in the side panel, which opens closed, unless this browser has kept it open. */
export const filtersPanel = deferred(() => import('./FiltersPanel.tsx'))
