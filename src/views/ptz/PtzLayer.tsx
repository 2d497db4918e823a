import { useSelector } from '@xstate/react'
import { withMessages } from '../../i18n/i18n.ts'
import { type PtzRef, selectIsPadOpen } from '../../machines/ptz/ptz.selectors.ts'
import { deferred, useDeferred } from '../ui/deferred.ts'

const pad = deferred(() => withMessages(import('./PtzPad.tsx')))

/** The pad over the picture while it is open; its code is loaded when it is opened for the first time. */
export function PtzLayer({ ptz, onClose }: { ptz: PtzRef; onClose: () => void }) {
  const parts = useDeferred(pad, useSelector(ptz, selectIsPadOpen))
  return parts !== null && <parts.PtzPad ptz={ptz} onClose={onClose} />
}
