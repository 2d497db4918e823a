import type { ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from '../ui/Button.tsx'
import { focusPage } from '../ui/move-focus.ts'
import { useFocusAfterwards } from '../ui/use-focus-afterwards.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Dialog.module.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  size?: 'small' | 'large'
  /** A press outside closes it. */
  isDismissable?: boolean
}

export function Dialog({ title, onClose, children, actions, size = 'small', isDismissable = true }: DialogProps) {
  const { t } = useLingui()
  return (
    <ModalOverlay
      isOpen
      isDismissable={isDismissable}
      onOpenChange={(open) => !open && onClose()}
      className={styles.scrim ?? ''}
    >
      <Modal className={`${styles.modal} ${styles[size]}`}>
        <AriaDialog className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title">{title}</Heading>
            <IconButton label={t`Close`} icon={<X size={16} />} onPress={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.foot}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface PlainDialogProps {
  label: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog near the top of the window, without head and actions. */
export function PlainDialog({ label, isOpen, onClose, children }: PlainDialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={`${styles.scrim} ${styles.high}`}
    >
      <Modal className={`${styles.modal} ${styles.medium}`}>
        <AriaDialog aria-label={label} className={styles.dialog ?? ''}>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  confirmLabel: string
  /** The user must do something in the dialog before confirming. */
  disabled?: boolean
  busy?: boolean
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  disabled = false,
  busy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const { t } = useLingui()
  // The button that opened the dialog may be deleted with its item.
  useFocusAfterwards(focusPage)
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onCancel()} className={styles.scrim ?? ''}>
      <Modal className={`${styles.modal} ${styles.small}`}>
        <AriaDialog role="alertdialog" className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title">{title}</Heading>
          </header>
          <div className={styles.body}>{children}</div>
          <footer className={styles.foot}>
            <Button onClick={onCancel}>{t`Cancel`}</Button>
            <Button variant="danger" disabled={disabled} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </footer>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
