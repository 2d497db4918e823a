import { useLingui } from '@lingui/react/macro'
import {
  hasHiddenCredentials,
  hasOwnCredentials,
  fieldsAfterEntry,
  splitCredentials,
} from '../../machines/stream-pages/source-credentials.ts'
import { hostIn, manufacturers, defaultAddresses } from '../../machines/stream-pages/manufacturer-addresses.ts'
import type { StreamValues } from '../../machines/stream-pages/stream-values.ts'
import { TextField } from '../ui/Field.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import styles from './StreamFields.module.css'

interface SourceFieldsProps {
  values: StreamValues
  errorOf: (field: string) => string | undefined
  onEdit: (values: Partial<StreamValues>) => void
  /** The server controls cameras by ONVIF. */
  hasOnvif: boolean
}

/** Whether an address was pasted. What is pasted at its end may be a password with an `@`. */
const isPasted = (before: string, typed: string): boolean =>
  typed.length > before.length + 1 && (before === '' || !typed.startsWith(before))

/** The addresses of the main stream and the substream, and the login and password for both. */
export function SourceFields({ values, errorOf, onEdit, hasOnvif }: SourceFieldsProps) {
  const { t } = useLingui()
  const { login, password } = values
  const hasTyped = login !== '' || password !== ''
  const addressOf = (field: 'streamSource' | 'substreamSource', usual: string) => {
    const value = values[field]
    const splitTyped = (typed: string) => onEdit(fieldsAfterEntry(field, typed, values))
    const help = () => {
      if (hasHiddenCredentials(value) && !hasTyped)
        return t`*** hides the login and password stored on the server. Leave it unchanged to keep them.`
      return hasOwnCredentials(value) && hasTyped ? t`The login and password in this address are used.` : usual
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
      // Credentials of a pasted address move to their fields at once, typed ones on blur: a password may contain `@`.
      onChange: (typed: string) => (isPasted(value, typed) ? splitTyped(typed) : onEdit({ [field]: typed })),
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
      <DefaultAddresses typed={values.streamSource} onEdit={onEdit} />
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
          t`A smaller picture of the same camera, for mosaics, phones and fast playback. Leave empty if there is none.`,
        )}
      />
      {hasOnvif && (
        <TextField
          label={t`ONVIF address`}
          name="onvifAddress"
          placeholder="192.168.1.64"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1000}
          help={t`For PTZ and the camera's own events, with the login and password above. Optional.`}
          value={values['onvif.url']}
          error={errorOf('onvif.url')}
          onChange={(url) => onEdit({ 'onvif.url': url })}
        />
      )}
    </>
  )
}

/** Fills in a manufacturer's default paths for the host that was typed. */
function DefaultAddresses({ typed, onEdit }: { typed: string; onEdit: SourceFieldsProps['onEdit'] }) {
  const { t } = useLingui()
  const host = hostIn(typed)
  return (
    <details className={styles.usual}>
      <summary>{t`Default addresses by manufacturer`}</summary>
      <p className={styles.note}>
        {host === ''
          ? t`Enter the camera's IP address or host name above first.`
          : t`Fills in both addresses for ${host} with the manufacturer's defaults.`}
      </p>
      <div className={styles.steps} role="group" aria-label={t`Default addresses by manufacturer`}>
        {manufacturers.map((each) => (
          <button
            key={each.manufacturer}
            type="button"
            className={styles.step}
            disabled={host === ''}
            onClick={() => onEdit({ ...splitCredentials(typed)?.credentials, ...defaultAddresses(typed, each) })}
          >
            {each.manufacturer}
          </button>
        ))}
      </div>
    </details>
  )
}
