import { deferred } from './deferred.ts'

/** Menus, dialogs, tooltips and React Aria, which they are made of: loaded once the first screen is there. */
export const overlays = deferred(() => import('../overlays/parts.ts'))
