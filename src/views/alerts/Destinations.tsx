import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { blankDestination, type DestinationValues } from '../../machines/alerts/alert-values.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { channels, useWords } from './words.ts'
import styles from './Alerts.module.css'

type ErrorOf = (field: string) => string | undefined

interface DestinationsProps {
  to: readonly DestinationValues[]
  /** The server signs webhooks. */
  hasSecrets: boolean
  errorOf: ErrorOf
  onChange: (to: readonly DestinationValues[]) => void
}

/** Whom an alert tells: at least one address, each of one channel. */
export function Destinations({ to, hasSecrets, errorOf, onChange }: DestinationsProps) {
  const { t } = useLingui()
  const change = (place: number, changed: Partial<DestinationValues>) =>
    onChange(to.map((each, other) => (other === place ? { ...each, ...changed } : each)))
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Send to</Trans>
      </legend>
      {to.map((destination, place) => (
        <Destination
          key={place}
          number={place + 1}
          destination={destination}
          hasSecrets={hasSecrets}
          errorOf={(field) => errorOf(`to.${place}.${field}`)}
          onChange={(changed) => change(place, changed)}
          onRemove={to.length > 1 ? () => onChange(to.filter((_each, other) => other !== place)) : undefined}
        />
      ))}
      <div>
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => onChange([...to, blankDestination])}>
          {t`Add an address`}
        </Button>
      </div>
    </fieldset>
  )
}

interface DestinationProps {
  number: number
  destination: DestinationValues
  hasSecrets: boolean
  errorOf: ErrorOf
  onChange: (changed: Partial<DestinationValues>) => void
  onRemove: (() => void) | undefined
}

function Destination({ number, destination, hasSecrets, errorOf, onChange, onRemove }: DestinationProps) {
  const { t } = useLingui()
  const words = useWords()
  const { smtpServerEnabled } = useApp(selectSettings)
  const { kind, address, secret, hasSecret } = destination
  const kinds = [...new Set(['mail', 'webhook', kind])]
  const isMail = kind === 'mail'
  const isMissing = isMail && !smtpServerEnabled
  return (
    <div className={styles.destination} role="group" aria-label={t`Address ${number}`}>
      <SelectField
        label={t`Channel`}
        value={kind}
        options={kinds.map((value) => ({ value, label: words(channels, value) }))}
        error={errorOf('kind')}
        onChange={(value) => onChange({ kind: value, secret: '', hasSecret: false })}
      />
      <TextField
        label={t`Address`}
        type={isMail ? 'email' : kind === 'webhook' ? 'url' : 'text'}
        autoComplete="off"
        maxLength={2000}
        readOnly={kind === 'push'}
        {...(isMissing ? { help: t`No mail server is set in the configuration: no letter can be sent yet.` } : {})}
        value={address}
        error={errorOf('address')}
        onChange={(value) => onChange({ address: value })}
      />
      {onRemove !== undefined && (
        <IconButton label={t`Remove address ${number}`} icon={<Trash2 size={16} />} onPress={onRemove} />
      )}
      {kind === 'webhook' && hasSecrets && (
        <div className={styles.secret}>
          <TextField
            label={t`Secret`}
            type="password"
            autoComplete="new-password"
            maxLength={200}
            help={
              hasSecret
                ? t`Leave empty to keep the secret. It is never shown.`
                : t`16 characters or more. With it the receiver can check that a call is from this server.`
            }
            value={secret}
            error={errorOf('secret')}
            onChange={(value) => onChange({ secret: value })}
          />
        </div>
      )}
    </div>
  )
}
