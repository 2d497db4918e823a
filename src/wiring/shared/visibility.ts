import { fromCallback } from 'xstate'
import { watchVisibility } from '../../api/browser/visibility.ts'

export const visibility = fromCallback(({ sendBack }) =>
  watchVisibility((hidden) => sendBack({ type: hidden ? 'page.hidden' : 'page.shown' })),
)
