import { useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Credentials } from '../../machines/stream-pages/source-credentials.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

interface CredentialsDialogProps {
  onConfirm: (credentials: Credentials) => void
  onCancel: () => void
}

/** Asks for the login and password of the cameras of the selected streams. */
export function CredentialsDialog({ onConfirm, onCancel }: CredentialsDialogProps) {
  const { t } = useLingui()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const removes = login === '' && password === ''
  return (
    <Dialog
      title={t`Login and password of the selected streams`}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t`Cancel`}</Button>
          <Button variant={removes ? 'danger' : 'primary'} onClick={() => onConfirm({ login, password })}>
            {removes ? t`Remove` : t`Apply`}
          </Button>
        </>
      }
    >
      <p>
        <Trans>
          They replace those in the addresses of the stream and of its substream. If both fields are empty, they are
          removed. Streams whose sources take no login are skipped.
        </Trans>
      </p>
      <TextField
        label={t`Login`}
        name="cameraLogin"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={1000}
        value={login}
        onChange={setLogin}
      />
      <PasswordField
        label={t`Password`}
        name="cameraPassword"
        autoComplete="new-password"
        maxLength={1000}
        value={password}
        onChange={setPassword}
      />
    </Dialog>
  )
}
