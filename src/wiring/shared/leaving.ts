import { fromCallback } from 'xstate'
import { warnBeforeClosing } from '../../api/browser/leaving.ts'
import { locationOf } from '../../machines/app/location.events.ts'

/** While the actor runs, leaving the page or closing the window asks first. */
export const watchLeaving = fromCallback<{ type: 'leave.granted' }>(({ system, self, receive }) => {
  const by = self._parent ?? self
  const location = locationOf(system)
  const stopWarning = warnBeforeClosing()
  location?.send({ type: 'location.held', by })
  receive(() => {
    stopWarning()
    location?.send({ type: 'leave.granted', by })
  })
  return () => {
    stopWarning()
    location?.send({ type: 'location.released', by })
  }
})
