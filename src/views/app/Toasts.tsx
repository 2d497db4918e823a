import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { selectNotifications } from '../../machines/app/app.selectors.ts'
import type { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import type { ActorRefFrom } from 'xstate'
import { useApp } from './console.ts'
import { toasts } from './deferred-modules.ts'
import { DeferredPart } from './DeferredPart.tsx'
import { usePreload } from './use-preload.ts'
import styles from './Toasts.module.css'

type NotificationsRef = ActorRefFrom<typeof notificationsMachine>

export function Toasts() {
  const actor = useApp(selectNotifications)
  return actor === undefined ? null : <ToastList actor={actor} />
}

function ToastList({ actor }: { actor: NotificationsRef }) {
  const { t } = useLingui()
  const shown = useSelector(actor, ({ context }) => context.shown)
  usePreload(toasts)
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
        <DeferredPart module={toasts} isNeeded={shown.length > 0}>
          {({ Toast }) =>
            shown.map((notification) => (
              <Toast
                key={notification.id}
                {...notification}
                onDismiss={() => actor.send({ type: 'notification.dismissed', id: notification.id })}
              />
            ))
          }
        </DeferredPart>
      </section>
    </div>
  )
}
