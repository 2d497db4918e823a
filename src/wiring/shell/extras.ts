import { withMessages } from '../../i18n/i18n.ts'
import type { AppRef } from '../../machines/app/app.selectors.ts'

export { copyText } from '../../api/browser/clipboard.ts'
export { saveText } from '../../api/browser/save-text.ts'
export { registerServiceWorker } from '../../api/browser/service-worker.ts'

export async function tray(app: AppRef) {
  const clips = await import('./clips.ts')
  clips.startClips(app)
  return clips
}
export const palette = () => withMessages(import('./palette.ts'))
