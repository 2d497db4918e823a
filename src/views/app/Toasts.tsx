import { useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectNotifications } from '../../machines/app/app.selectors.ts'
import type { notificationsMachine } from '../../machines/notifications/notifications.machine.ts'
import { useApp } from './console.ts'
import { toasts } from './deferred-modules.ts'
import { DeferredPart } from './DeferredPart.tsx'
import { usePreload } from './use-preload.ts'
import styles from './Toasts.module.css'

const selectShown = ({ context }: SnapshotFrom<typeof notificationsMachine>) => context.shown

export function Toasts() {
  const actor = useApp(selectNotifications)
  return actor === undefined ? null : <ToastList actor={actor} />
}

function ToastList({ actor }: { actor: ActorRefFrom<typeof notificationsMachine> }) {
  const { t } = useLingui()
  const isPointedAt = useRef(false)
  const shown = useSelector(actor, selectShown)
  usePreload(toasts)
  const dismiss = (id: string) => {
    // Nor does the pointer leave what is removed under it.
    if (shown.length === 1) isPointedAt.current = false
    actor.send({ type: 'notification.dismissed', id })
    // The focus was on the button, and its removal reports no blur.
    if (!isPointedAt.current) actor.send({ type: 'reading.ended' })
  }
  return (
    <div
      role="presentation"
      onPointerEnter={() => {
        isPointedAt.current = true
        actor.send({ type: 'reading.started' })
      }}
      onPointerLeave={({ currentTarget }) => {
        isPointedAt.current = false
        if (!currentTarget.contains(document.activeElement)) actor.send({ type: 'reading.ended' })
      }}
      onFocus={() => actor.send({ type: 'reading.started' })}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && !isPointedAt.current) actor.send({ type: 'reading.ended' })
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
              <Toast key={notification.id} {...notification} onDismiss={() => dismiss(notification.id)} />
            ))
          }
        </DeferredPart>
      </section>
    </div>
  )
}
