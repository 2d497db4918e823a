import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { BellRing, Plus, Trash2 } from 'lucide-react'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { blankDestination, type DestinationValues } from '../../machines/alerts/alert-values.ts'
import { useApp } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { removeRow } from '../ui/remove-row.ts'
import { addressWords, channelWords, useWords } from './words.ts'
import styles from './Alerts.module.css'

type ErrorOf = (field: string) => string | undefined

export interface PushProps {
  /** The public key that a browser subscribes with; empty if the server sends no push messages. */
  key: string
  isBusy: boolean
  /** The destination that the browser was last to become, and why it did not. */
  destination: DestinationValues | null
  refusal: string | null
  onSubscribe: (push: { key: string; index: number }) => void
}

interface DestinationsProps {
  to: readonly DestinationValues[]
  /** Whether webhooks can have a secret. */
  hasSecrets: boolean
  push: PushProps
  errorOf: ErrorOf
  onChange: (to: readonly DestinationValues[]) => void
}

/** The destinations of an alert, at least one. */
export function Destinations({ to, hasSecrets, push, errorOf, onChange }: DestinationsProps) {
  const { t } = useLingui()
  const change = (index: number, changed: Partial<DestinationValues>) =>
    onChange(to.map((each, other) => (other === index ? { ...each, ...changed } : each)))
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Send to</Trans>
      </legend>
      {to.map((destination, index) => (
        <Destination
          key={index}
          number={index + 1}
          destination={destination}
          hasSecrets={hasSecrets}
          push={destination === push.destination ? push : { ...push, refusal: null }}
          onSubscribe={() => push.onSubscribe({ key: push.key, index })}
          errorOf={(field) => errorOf(`to.${index}.${field}`)}
          onChange={(changed) => change(index, changed)}
          onRemove={to.length > 1 ? () => onChange(to.filter((_each, other) => other !== index)) : undefined}
        />
      ))}
      <div>
        <Button
          data-add-address
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => onChange([...to, blankDestination])}
        >
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
  push: PushProps
  onSubscribe: () => void
  errorOf: ErrorOf
  onChange: (changed: Partial<DestinationValues>) => void
  onRemove: (() => void) | undefined
}

function Destination(props: DestinationProps) {
  const { number, destination, hasSecrets, push, onSubscribe, errorOf, onChange, onRemove } = props
  const { t } = useLingui()
  const words = useWords()
  const { smtpServerEnabled } = useApp(selectSettings)
  const { kind, address, secret, hasSecret } = destination
  const kinds = [...new Set(['mail', 'webhook', ...(push.key === '' ? [] : ['push']), kind])]
  const isMail = kind === 'mail'
  const hasNoMailServer = isMail && !smtpServerEnabled
  return (
    <div className={styles.destination} role="group" aria-label={t`Address ${number}`}>
      <SelectField
        label={t`Channel`}
        value={kind}
        options={kinds.map((value) => ({ value, label: words(channelWords, value) }))}
        error={errorOf('kind')}
        onChange={(value) => onChange({ kind: value, address: '', secret: '', hasSecret: false })}
      />
      {kind === 'push' ? (
        <Browser address={address} push={push} error={errorOf('address')} onSubscribe={onSubscribe} />
      ) : (
        <TextField
          label={t`Address`}
          type={isMail ? 'email' : 'url'}
          autoComplete="off"
          maxLength={2000}
          {...(hasNoMailServer
            ? { help: t`No mail server is set in the configuration: email can't be sent yet.` }
            : {})}
          value={address}
          error={errorOf('address')}
          onChange={(value) => onChange({ address: value })}
        />
      )}
      {onRemove !== undefined && (
        <IconButton
          label={t`Remove address ${number}`}
          icon={<Trash2 size={16} />}
          onPress={() => removeRow('[role="group"] > button', '[data-add-address]', onRemove)}
        />
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
                : t`At least 16 characters. Signs the requests, so that the recipient can verify where they come from.`
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

const refusals: Readonly<Record<string, MessageDescriptor>> = {
  unsupported: msg`This browser can't receive messages here: open the console over HTTPS, or use another browser.`,
  denied: msg`This browser blocks notifications from this page: allow them in its settings.`,
  dismissed: msg`The browser's question was closed without an answer. Press again, and allow notifications.`,
  failed: msg`This browser could not subscribe. Try again later.`,
}

interface BrowserProps {
  address: string
  push: PushProps
  error: string | undefined
  onSubscribe: () => void
}

/** The browser that receives push messages: the stored one, until a click selects this one. */
function Browser({ address, push: { key, isBusy, refusal }, error, onSubscribe }: BrowserProps) {
  const { i18n, t } = useLingui()
  const words = refusal === null ? undefined : refusals[refusal]
  return (
    <div className={styles.browser}>
      <p>{address === '' ? <Trans>No browser is selected yet.</Trans> : addressWords('push', address)}</p>
      {key !== '' && (
        <Button
          busy={isBusy}
          icon={<BellRing size={16} aria-hidden="true" />}
          onClick={onSubscribe}
        >{t`Use this browser`}</Button>
      )}
      <p className={styles.apiError} role="status">
        {words === undefined ? error : i18n._(words)}
      </p>
    </div>
  )
}
