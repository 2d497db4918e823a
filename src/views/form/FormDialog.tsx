import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

interface FormDialogProps {
  title: string
  /** The id of the form inside. */
  form: string
  submitLabel: string
  isBusy: boolean
  onClose: () => void
  children: ReactNode
  size?: 'small' | 'large'
}

/**
 * A dialog around a form, with its Cancel and submit buttons. A press outside doesn't close it, as the input would be
 * lost; nothing does while the form is being sent, as the server may have done it already and only its answer says so.
 */
export function FormDialog({ title, form, submitLabel, isBusy, onClose, children, size = 'small' }: FormDialogProps) {
  const { t } = useLingui()
  const close = () => {
    if (!isBusy) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={close}
      size={size}
      isDismissable={false}
      actions={
        <>
          <Button disabled={isBusy} onClick={close}>{t`Cancel`}</Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
