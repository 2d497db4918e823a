import type { ComponentProps } from 'react'
import type * as Parts from '../overlays/Dialogs.tsx'
import { useDeferred } from './deferred.ts'
import { overlays } from './overlays.ts'

/** A modal dialog that is open while it is rendered. Escape and a click outside close it. */
export function Dialog(props: ComponentProps<typeof Parts.Dialog>) {
  const parts = useDeferred(overlays)
  return parts !== null && <parts.Dialog {...props} />
}

/** A modal dialog without head or foot, near the top of the screen. Escape and a click outside close it. */
export function PlainDialog(props: ComponentProps<typeof Parts.PlainDialog>) {
  const parts = useDeferred(overlays, props.isOpen)
  return parts !== null && <parts.PlainDialog {...props} />
}

/** Asks before something is destroyed (docs/behaviour.md §16). */
export function ConfirmDialog(props: ComponentProps<typeof Parts.ConfirmDialog>) {
  const parts = useDeferred(overlays)
  return parts !== null && <parts.ConfirmDialog {...props} />
}
