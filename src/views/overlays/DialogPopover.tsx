import type { ReactNode, RefObject } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import styles from './DialogPopover.module.css'

interface DialogPopoverProps {
  id: string
  label: string
  triggerRef: RefObject<HTMLElement | null>
  onClose: () => void
  children: ReactNode
}

/** A dialog below the button that opened it. */
export function DialogPopover({ id, label, triggerRef, onClose, children }: DialogPopoverProps) {
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={triggerRef}
      className={styles.popover ?? ''}
      placement="bottom end"
      offset={6}
    >
      <Dialog id={id} className={styles.dialog ?? ''} aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  )
}
