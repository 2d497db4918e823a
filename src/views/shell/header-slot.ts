import { type ReactNode, createContext, useContext } from 'react'
import { createPortal } from 'react-dom'

const HeaderSlot = createContext<HTMLElement | null>(null)

export const HeaderSlotProvider = HeaderSlot.Provider

export function HeaderContent({ children }: { children: ReactNode }) {
  const slot = useContext(HeaderSlot)
  return slot === null ? null : createPortal(children, slot)
}
