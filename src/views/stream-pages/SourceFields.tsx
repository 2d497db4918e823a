import { useLingui } from '@lingui/react/macro'
import {
  hasHiddenCredentials,
  hasOwnCredentials,
  fieldsAfterEntry,
} from '../../machines/stream-pages/source-credentials.ts'
import { hostIn, makers, usualAddresses } from '../../machines/stream-pages/maker-addresses.ts'
import type { StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import styles from './StreamFields.module.css'

interface SourceFieldsProps {
  values: StreamValues
  errorOf: (field: string) => string | undefined
  onEdit: (values: Partial<StreamValues>) => void
}

/** The addresses of a camera, and the login and password that both have. */
export function SourceFields({ values, errorOf, onEdit }: SourceFieldsProps) {
  const { t } = useLingui()
  const { login, password } = values
  const hasTyped = login !== '' || password !== ''
  const addressOf = (field: 'streamSource' | 'substreamSource', usual: string) => {
    const value = values[field]
    const splitTyped = (typed: string) => onEdit(fieldsAfterEntry(field, typed, values))
    const help = () => {
      if (hasHiddenCredentials(value) && !hasTyped)
        return t`*** stands for the login and password that the server keeps. Leave it as it is to keep them.`
      return hasOwnCredentials(value) && hasTyped
        ? t`This address keeps the login and password that stand in it.`
        : usual
    }
    return {
      name: field,
      inputMode: 'url',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      help: help(),
      value,
      error: errorOf(field),
      // Letter by letter the address is taken apart only when it is left: a password may hold more than one `@`.
      onChange: (typed: string) => (typed.length > value.length + 1 ? splitTyped(typed) : onEdit({ [field]: typed })),
      onBlur: () => hasOwnCredentials(value) && splitTyped(value),
    } as const
  }
  return (
    <>
      <TextField
        label={t`Stream source`}
        placeholder="rtsp://camera.example/stream"
        {...addressOf('streamSource', t`The address of the camera: rtsp, rtsps, http or https.`)}
      />
      <UsualAddresses typed={values.streamSource} onEdit={onEdit} />
      <div className={styles.credentials}>
        <TextField
          label={t`Login`}
          name="cameraLogin"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={login}
          error={errorOf('login')}
          onChange={(typed) => onEdit({ login: typed })}
        />
        <PasswordField
          label={t`Password`}
          name="cameraPassword"
          autoComplete="new-password"
          value={password}
          error={errorOf('password')}
          onChange={(typed) => onEdit({ password: typed })}
        />
      </div>
      <TextField
        label={t`Substream`}
        placeholder="rtsp://camera.example/substream"
        {...addressOf(
          'substreamSource',
          t`A smaller picture of the same camera, for mosaics, phones and fast playback. Leave empty if none.`,
        )}
      />
    </>
  )
}

/** For a camera whose host is known and whose path isn't. */
function UsualAddresses({ typed, onEdit }: { typed: string; onEdit: SourceFieldsProps['onEdit'] }) {
  const { t } = useLingui()
  const host = hostIn(typed)
  return (
    <details className={styles.usual}>
      <summary>{t`Usual addresses by maker`}</summary>
      <p className={styles.note}>
        {host === ''
          ? t`Type the camera's IP address or host name above first.`
          : t`Fills in both addresses for ${host}, as the maker sets its cameras up.`}
      </p>
      <div className={styles.steps} role="group" aria-label={t`Usual addresses by maker`}>
        {makers.map((each) => (
          <button
            key={each.maker}
            type="button"
            className={styles.step}
            disabled={host === ''}
            onClick={() => onEdit(usualAddresses(typed, each))}
          >
            {each.maker}
          </button>
        ))}
      </div>
    </details>
  )
}
