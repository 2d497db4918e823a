import { useLingui } from '@lingui/react/macro'
import type { Credentials } from '../../machines/stream-pages/source-credentials.ts'
import fields from '../stream-pages/StreamFields.module.css'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

interface CameraCredentialsProps {
  credentials: Credentials
  readOnly?: boolean
  maxLength?: number
  onEdit: (credentials: Partial<Credentials>) => void
}

/** One login and password for several cameras. */
export function CameraCredentials({ credentials, readOnly = false, maxLength = 200, onEdit }: CameraCredentialsProps) {
  const { t } = useLingui()
  const { login, password } = credentials
  return (
    <div className={fields.credentials}>
      <TextField
        label={t`Login`}
        name="cameraLogin"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxLength}
        readOnly={readOnly}
        value={login}
        onChange={(typed) => onEdit({ login: typed })}
      />
      <PasswordField
        label={t`Password`}
        name="cameraPassword"
        autoComplete="new-password"
        maxLength={maxLength}
        readOnly={readOnly}
        value={password}
        onChange={(typed) => onEdit({ password: typed })}
      />
    </div>
  )
}
