import { useId } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { passkeyNameFormMachine } from '../../machines/profile/passkey-forms.ts'
import { Form, useForm } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { TextField } from '../ui/Field.tsx'

interface RenamePasskeyProps {
  form: ActorRefFrom<typeof passkeyNameFormMachine>
  onClose: () => void
}

export function RenamePasskey({ form, onClose }: RenamePasskeyProps) {
  const { t } = useLingui()
  const id = useId()
  const { isBusy, text } = useForm(form)
  return (
    <FormDialog title={t`Rename passkey`} form={id} submitLabel={t`Save`} isBusy={isBusy} onClose={onClose}>
      <Form form={form} id={id} className={people.form} focusFirst>
        <TextField label={t`Name`} autoComplete="off" maxLength={100} {...text('name')} />
      </Form>
    </FormDialog>
  )
}
