import { useLayoutEffect } from 'react'
import { useLingui } from '@lingui/react/macro'
import { withMessages } from '../../i18n/i18n.ts'
import { selectKeyReach } from '../../machines/app/app.selectors.ts'
import { shortcutsKey } from '../../machines/keyboard/anywhere.ts'
import { useApp } from '../app/console.ts'
import { ErrorBoundary } from '../app/ErrorBoundary.tsx'
import { Broken } from '../app/Outlet.tsx'
import { deferred, useDeferred } from '../ui/deferred.ts'
import { dialogs } from '../ui/dialogs.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useOpenHere } from './open-here.ts'

export const shortcuts = deferred(() => withMessages(import('../help/Shortcuts.tsx')))

/** What keeps its own keys. */
const ownKeys = `input, select, textarea, ${dialogs}, [role="menu"], [role="listbox"]`

const hasOwnKeys = (target: EventTarget | null) => target instanceof HTMLElement && target.closest(ownKeys) !== null

const isInPlayer = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[data-view-mode]') !== null

/** `?` shows the keyboard shortcuts on every page; only in the player if the user has limited keys to it. */
export function ShortcutsDialog() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useOpenHere()
  const keyReach = useApp(selectKeyReach)
  /** With the first frame that shows the page: an effect after it could miss a key. */
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== shortcutsKey || event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target))
        return
      if (keyReach === 'page' || isInPlayer(event.target)) setOpen(true)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [setOpen, keyReach])
  if (!isOpen) return null
  return (
    <Dialog title={t`Keyboard shortcuts`} size="large" onClose={() => setOpen(false)}>
      {/* If its code can't be loaded, only the dialog shows the error. */}
      <ErrorBoundary fallback={showBroken}>
        <Content />
      </ErrorBoundary>
    </Dialog>
  )
}

const showBroken = (retry: () => void) => <Broken onRetry={retry} />

function Content() {
  const parts = useDeferred(shortcuts)
  return parts !== null && <parts.Shortcuts />
}
