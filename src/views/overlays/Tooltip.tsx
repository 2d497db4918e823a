import type { ReactNode, RefObject } from 'react'
import { Tooltip as AriaTooltip, TooltipTriggerStateContext } from 'react-aria-components'
import styles from './Tooltip.module.css'

interface TooltipProps {
  id: string
  triggerRef: RefObject<HTMLElement | null>
  placement: 'top' | 'bottom' | 'left' | 'right'
  shortcut: string | undefined
  /** The pointer is on the tooltip, which stays open. */
  onStay: () => void
  onLeave: (isAtOnce?: boolean) => void
  children: ReactNode
}

export function Tooltip({ id, triggerRef, placement, shortcut, onStay, onLeave, children }: TooltipProps) {
  /** Spread, as React Aria's type lacks it. */
  const idProp = { id }
  return (
    <TooltipTriggerStateContext value={{ isOpen: true, shouldSkipAnimation: true, open: onStay, close: onLeave }}>
      <AriaTooltip
        {...idProp}
        triggerRef={triggerRef}
        className={styles.tooltip ?? ''}
        placement={placement}
        offset={6}
      >
        {children}
        {shortcut !== undefined && <kbd className={styles.key}>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTriggerStateContext>
  )
}
