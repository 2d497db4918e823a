/** What the player can do without until its first picture. */
export { exportDraft } from '../exports/export-draft.ts'
export { locks } from '../locks/locks.ts'
export { ptz } from '../ptz/ptz.ts'
