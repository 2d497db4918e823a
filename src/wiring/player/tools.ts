/** One file of the build: parts of the player that it doesn't need before its first picture. */
export { maxExportItems } from '../../api/contract/exports.ts'
export { exportDraft } from '../exports/export-draft.ts'
export { locks } from '../locks/locks.ts'
export { ptz } from '../ptz/ptz.ts'
