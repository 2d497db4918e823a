import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { successText } from '../../i18n/successes.ts'
import { selectNotifications } from '../../machines/app/app.selectors.ts'
import type { Notification, notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import type { ActorRefFrom } from 'xstate'
import { useApp } from './console.ts'
import styles from './Toasts.module.css'

export function Toasts() {
  const actor = useApp(selectNotifications)
  return actor === undefined ? null : <ToastList actor={actor} />
}

function ToastList({ actor }: { actor: ActorRefFrom<typeof notificationsMachine> }) {
  const { t } = useLingui()
  const shown = useSelector(actor, ({ context }) => context.shown)
  return (
    <div
      role="presentation"
      onPointerEnter={() => actor.send({ type: 'reading.started' })}
      onPointerLeave={({ currentTarget }) => {
        if (!currentTarget.contains(document.activeElement)) actor.send({ type: 'reading.ended' })
      }}
      onFocus={() => actor.send({ type: 'reading.started' })}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover'))
          actor.send({ type: 'reading.ended' })
      }}
    >
      {/* The attribute keeps toasts usable while a React Aria dialog is open. */}
      <section
        className={styles.region}
        aria-label={t`Notifications`}
        aria-live="polite"
        data-react-aria-top-layer="true"
      >
        {shown.map((notification) => (
          <Toast
            key={notification.id}
            {...notification}
            onDismiss={() => actor.send({ type: 'notification.dismissed', id: notification.id })}
          />
        ))}
      </section>
    </div>
  )
}

function Toast({ tone, code, values, requestId, onDismiss }: Notification & { onDismiss: () => void }) {
  const { t, i18n } = useLingui()
  const apiError = apiErrorText(code)
  const message =
    tone === 'success' ? i18n._({ ...successText(code), values }) : i18n._({ ...apiError.message, values })
  return (
    <div className={`${styles.toast} ${styles[tone]}`} role={tone === 'error' ? 'alert' : 'status'}>
      {tone === 'error' ? <CircleAlert size={20} aria-hidden="true" /> : <CircleCheck size={20} aria-hidden="true" />}
      <div className={styles.text}>
        <strong>{tone === 'error' ? t`Error` : t`Done`}</strong>
        <p>
          {values.message ?? message}
          {tone === 'error' && apiError.code !== '' && <code className={styles.code}> {apiError.code}</code>}
        </p>
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
