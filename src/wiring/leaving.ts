import { fromCallback } from 'xstate'
import { watchLeaving as watch } from '../api/browser/leaving.ts'

/** Holds the ways out of a page whose form would lose something typed. */
export const watchLeaving = fromCallback<{ type: 'leave.granted' }>(({ sendBack, receive }) => {
  let proceed = () => {}
  receive(() => proceed())
  return watch((go) => {
    proceed = go
    sendBack({ type: 'leave.attempted' })
  })
})
