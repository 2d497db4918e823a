import { fromCallback } from 'xstate'
import { watchVisibility } from '../../api/browser/visibility.ts'

/** Tells the machine that invoked it when the page is hidden and shown again. */
export const visibility = fromCallback(({ sendBack }) =>
  watchVisibility((hidden) => sendBack({ type: hidden ? 'page.hidden' : 'page.shown' })),
)
