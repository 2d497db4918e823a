import { useId } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectUser } from '../../machines/app/app.selectors.ts'
import type { newPasskeyMachine } from '../../machines/profile/new-passkey.machine.ts'
import type { newPasskeyFormMachine } from '../../machines/profile/passkey-forms.ts'
import { useApp } from '../app/console.ts'
import { Form, useForm } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

const selectForm = ({ children }: SnapshotFrom<typeof newPasskeyMachine>) => children.form

interface NewPasskeyProps {
  actor: ActorRefFrom<typeof newPasskeyMachine>
  onCancel: () => void
}

/** Asks for name and password; then the browser has its own dialog. */
export function NewPasskey({ actor, onCancel }: NewPasskeyProps) {
  const form = useSelector(actor, selectForm)
  if (form !== undefined) return <NewPasskeyForm form={form} onCancel={onCancel} />
  return (
    <p className={people.notice} role="status">
      <KeyRound size={16} aria-hidden="true" />
      <span>
        <Trans>Follow your browser’s instructions to create the passkey.</Trans>
      </span>
    </p>
  )
}

interface NewPasskeyFormProps {
  form: ActorRefFrom<typeof newPasskeyFormMachine>
  onCancel: () => void
}

function NewPasskeyForm({ form, onCancel }: NewPasskeyFormProps) {
  const { t } = useLingui()
  const id = useId()
  const { isBusy, text } = useForm(form)
  const login = useApp(selectUser)?.name ?? ''
  return (
    <FormDialog title={t`Add passkey`} form={id} submitLabel={t`Continue`} isBusy={isBusy} onClose={onCancel}>
      <Form form={form} id={id} className={people.form} focusFirst>
        <p>
          <Trans>
            Your browser then asks where to save the passkey: on this device, on a phone or on a security key.
          </Trans>
        </p>
        {/* For password managers, which ask whose password it is. */}
        <input type="text" autoComplete="username" value={login} readOnly hidden />
        <TextField
          label={t`Name`}
          help={t`For example, the device that keeps the passkey.`}
          autoComplete="off"
          maxLength={100}
          {...text('name')}
        />
        <PasswordField label={t`Password`} autoComplete="current-password" {...text('password')} />
      </Form>
    </FormDialog>
  )
}
