import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { successText } from '../../i18n/successes.ts'
import type { Notification } from '../../machines/notifications/notifications.machine.ts'
import styles from './Toasts.module.css'

export function Toast({ tone, code, values, requestId, onDismiss }: Notification & { onDismiss: () => void }) {
  const { t, i18n } = useLingui()
  const errorText = apiErrorText(code)
  const message =
    tone === 'success' ? i18n._({ ...successText(code), values }) : i18n._({ ...errorText.message, values })
  return (
    <div className={`${styles.toast} ${styles[tone]}`} role={tone === 'error' ? 'alert' : 'status'}>
      {tone === 'error' ? <CircleAlert size={20} aria-hidden="true" /> : <CircleCheck size={20} aria-hidden="true" />}
      <div className={styles.text}>
        <strong>{tone === 'error' ? t`Error` : t`Done`}</strong>
        <p>{values.message ?? message}</p>
        {tone === 'error' && errorText.code !== '' && (
          <p>
            <code className={styles.code}>{errorText.code}</code>
          </p>
        )}
        {requestId !== undefined && (
          <p>
            <Trans>
              Request <code className={styles.code}>{requestId}</code>
            </Trans>
          </p>
        )}
      </div>
      <button type="button" className={styles.close} aria-label={t`Close notification`} onClick={onDismiss}>
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
