/** What is fetched when it is first needed. */

export { copyText } from '../api/browser/clipboard.ts'
export { leave } from '../api/browser/leaving.ts'
export { saveText } from '../api/browser/save-text.ts'
export { keepConsole } from '../api/browser/worker.ts'

export const tray = () => import('./clips.ts')
export const palette = () => import('./palette.ts')
