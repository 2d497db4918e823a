import type { ReactNode, RefObject } from 'react'
import { Tooltip as AriaTooltip, TooltipTriggerStateContext } from 'react-aria-components'
import styles from './Tooltip.module.css'

interface TooltipProps {
  id: string
  triggerRef: RefObject<HTMLElement | null>
  placement: 'top' | 'bottom' | 'left' | 'right'
  shortcut: string | undefined
  /** The pointer came to the tooltip: it stays. */
  onStay: () => void
  onLeave: (isAtOnce?: boolean) => void
  children: ReactNode
}

export function Tooltip({ id, triggerRef, placement, shortcut, onStay, onLeave, children }: TooltipProps) {
  /** React Aria's type has none. */
  const named = { id }
  return (
    <TooltipTriggerStateContext value={{ isOpen: true, shouldSkipAnimation: true, open: onStay, close: onLeave }}>
      <AriaTooltip {...named} triggerRef={triggerRef} className={styles.tooltip ?? ''} placement={placement} offset={6}>
        {children}
        {shortcut !== undefined && <kbd className={styles.key}>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTriggerStateContext>
  )
}
