import { type FormEvent, useId, useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Credentials } from '../../machines/stream-pages/source-credentials.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { CameraCredentials } from '../add-stream/CameraCredentials.tsx'

interface CredentialsDialogProps {
  onConfirm: (credentials: Credentials) => void
  onCancel: () => void
}

/** Asks for the login and password of the cameras of the selected streams. */
export function CredentialsDialog({ onConfirm, onCancel }: CredentialsDialogProps) {
  const { t } = useLingui()
  const [credentials, setCredentials] = useState({ login: '', password: '' })
  const id = useId()
  const removes = credentials.login === '' && credentials.password === ''
  const confirm = () => onConfirm(credentials)
  /** Enter in an empty field must not remove anything. */
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!removes) confirm()
  }
  return (
    <Dialog
      title={t`Login and password of the selected streams`}
      onClose={onCancel}
      isDismissable={false}
      actions={
        <>
          <Button onClick={onCancel}>{t`Cancel`}</Button>
          {removes ? (
            <Button variant="danger" onClick={confirm}>{t`Remove`}</Button>
          ) : (
            <Button variant="primary" type="submit" form={id}>{t`Apply`}</Button>
          )}
        </>
      }
    >
      <p>
        <Trans>
          They replace those in the addresses of the stream and of its substream. If both fields are empty, they are
          removed. Streams whose sources take no login are skipped.
        </Trans>
      </p>
      <form id={id} onSubmit={submit}>
        <CameraCredentials
          credentials={credentials}
          maxLength={1000}
          onEdit={(edited) => setCredentials({ ...credentials, ...edited })}
        />
      </form>
    </Dialog>
  )
}
