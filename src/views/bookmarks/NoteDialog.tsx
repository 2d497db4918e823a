import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { noteFormMachine } from '../../machines/bookmarks/bookmark-location.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { TextField } from '../ui/Field.tsx'

interface NoteDialogProps {
  title: string
  form: ActorRefFrom<typeof noteFormMachine>
  onClose: () => void
  children: ReactNode
}

export function NoteDialog({ title, form, onClose, children }: NoteDialogProps) {
  const { t } = useLingui()
  const id = useId()
  const { values, errors, isBusy, errorOf } = useFormState(form)
  return (
    <FormDialog title={title} form={id} submitLabel={t`Save`} isBusy={isBusy} onClose={onClose}>
      {children}
      <Form form={form} id={id} focusFirst>
        <TextField
          label={t`Note`}
          name="note"
          autoComplete="off"
          value={values.note}
          error={
            errors['note'] === 'NotStored'
              ? t`This browser can't store the bookmark: its storage is full or not available to this page.`
              : errorOf('note')
          }
          onChange={(note) => form.send({ type: 'form.edited', values: { note } })}
        />
      </Form>
    </FormDialog>
  )
}
