import { fromCallback } from 'xstate'
import { warnBeforeClosing } from '../../api/browser/leaving.ts'
import { locationOf } from '../../machines/app/location.events.ts'

export const watchLeaving = fromCallback<{ type: 'leave.granted' }>(({ system, self, receive }) => {
  const by = self._parent ?? self
  const location = locationOf(system)
  const letWindowGo = warnBeforeClosing()
  location?.send({ type: 'location.held', by })
  receive(() => {
    letWindowGo()
    location?.send({ type: 'leave.granted', by })
  })
  return () => {
    letWindowGo()
    location?.send({ type: 'location.released', by })
  }
})
