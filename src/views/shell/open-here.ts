import { useCallback, useState } from 'react'
import { selectAddress } from '../../machines/app/app.selectors.ts'
import { isKiosk } from '../../machines/mosaics/kiosk.ts'
import { useApp } from '../app/console.ts'

type Snapshot = Parameters<typeof selectAddress>[0]

export const selectPathname = (snapshot: Snapshot) => selectAddress(snapshot).pathname

/** A selector of its own, as the address changes during playback. */
export const selectIsKiosk = (snapshot: Snapshot) => isKiosk(selectAddress(snapshot))

/** The state of a menu or dialog over the page; leaving the page closes it. */
export function useOpenHere(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const pathname = useApp(selectPathname)
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  if (openedOn !== null && openedOn !== pathname) setOpenedOn(null)
  const setOpen = useCallback((isOpen: boolean) => setOpenedOn(isOpen ? pathname : null), [pathname])
  return [openedOn === pathname, setOpen]
}
