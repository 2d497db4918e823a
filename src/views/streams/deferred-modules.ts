import { deferred } from '../ui/deferred.ts'

/** The list as a table. The list opens as cards, unless this browser has stored the table as the view. */
export const streamTable = deferred(() => import('./StreamTable.tsx'))

/** The content of the side panel. The panel is closed at first, unless this browser has stored that it was open. */
export const filtersPanel = deferred(() => import('./FiltersPanel.tsx'))
