import { useCallback, useState } from 'react'
import { selectAddress } from '../../machines/app/app.selectors.ts'
import { isKiosk } from '../../machines/mosaics/kiosk.ts'
import { useApp } from '../app/console.ts'

type Snapshot = Parameters<typeof selectAddress>[0]

export const selectPathname = (snapshot: Snapshot) => selectAddress(snapshot).pathname

/** By itself, as the address changes while something plays. */
export const selectIsKiosk = (snapshot: Snapshot) => isKiosk(selectAddress(snapshot))

/** What the shell opened over the page is closed by leaving the page, be it with the back button. */
export function useOpenHere(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const pathname = useApp(selectPathname)
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  if (openedOn !== null && openedOn !== pathname) setOpenedOn(null)
  const setOpen = useCallback((isOpen: boolean) => setOpenedOn(isOpen ? pathname : null), [pathname])
  return [openedOn === pathname, setOpen]
}
