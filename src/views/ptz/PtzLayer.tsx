import { useSelector } from '@xstate/react'
import { lazy, Suspense } from 'react'
import { withMessages } from '../../i18n/i18n.ts'
import { type PtzRef, selectIsPadOpen } from '../../machines/ptz/ptz.selectors.ts'

const PtzPad = lazy(() => withMessages(import('./PtzPad.tsx')))

/** The pad over the picture while it is open; its code is loaded when it is opened for the first time. */
export function PtzLayer({ ptz, onClose }: { ptz: PtzRef; onClose: () => void }) {
  const isOpen = useSelector(ptz, selectIsPadOpen)
  if (!isOpen) return null
  return (
    <Suspense>
      <PtzPad ptz={ptz} onClose={onClose} />
    </Suspense>
  )
}
