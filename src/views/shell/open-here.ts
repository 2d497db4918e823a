import { useCallback, useState } from 'react'
import { selectAddress } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'

export const selectPathname = (snapshot: Parameters<typeof selectAddress>[0]) => selectAddress(snapshot).pathname

/** Whether something of the shell is open over the page: it is closed by leaving the page, be it with the back button. */
export function useOpenHere(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const pathname = useApp(selectPathname)
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  if (openedOn !== null && openedOn !== pathname) setOpenedOn(null)
  const setOpen = useCallback((isOpen: boolean) => setOpenedOn(isOpen ? pathname : null), [pathname])
  return [openedOn === pathname, setOpen]
}
