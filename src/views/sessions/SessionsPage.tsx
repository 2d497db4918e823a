import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { LogOut, Monitor, MonitorSmartphone, Smartphone, SquareTerminal, Tablet } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { Session } from '../../api/contract/user.ts'
import { formatMoment, formatRelative } from '../../i18n/formats.ts'
import { titles } from '../../i18n/titles.ts'
import { addressKindOf } from '../../machines/sessions/address-kind.ts'
import { othersOf, type sessionsMachine } from '../../machines/sessions/sessions.machine.ts'
import { type Device, deviceOf } from '../../machines/sessions/user-agent.ts'
import { LoadedList } from '../people/LoadedList.tsx'
import styles from '../people/people.module.css'
import { UserTokens } from '../tokens/UserTokens.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Page } from '../ui/Page.tsx'

type Snapshot = SnapshotFrom<typeof sessionsMachine>

const selectIsLoading = (snapshot: Snapshot) => snapshot.matches({ list: 'loading' }) && snapshot.context.at === 0
const selectIsFailed = (snapshot: Snapshot) => snapshot.matches({ list: 'failed' })
const selectIsConfirming = (snapshot: Snapshot) => !snapshot.matches({ dialog: 'closed' })
const selectIsEnding = (snapshot: Snapshot) => snapshot.hasTag('busy') && !snapshot.matches({ dialog: 'confirming' })

export function SessionsPage({ actor }: { actor: ActorRefFrom<typeof sessionsMachine> }) {
  const { t } = useLingui()
  const { login, sessions, at, apiError, chosen, tokens } = useSelector(actor, selectContext)
  const isLoading = useSelector(actor, selectIsLoading)
  const isFailed = useSelector(actor, selectIsFailed)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isEnding = useSelector(actor, selectIsEnding)
  const deviceName = useDeviceName()
  const addressName = useAddressName()
  const others = othersOf(sessions).length
  const device = chosen === null ? '' : deviceName(deviceOf(chosen.userAgent))
  const ip = chosen?.ip || addressName('')
  const isOwn = login === null
  return (
    <Page
      isOwnTitle
      width="middle"
      title={isOwn ? t`Where you are signed in` : t`Where ${login} is signed in`}
      note={at > 0 ? <Plural value={sessions.length} one="# session" other="# sessions" /> : undefined}
      actions={
        <Button
          icon={<LogOut size={16} />}
          disabled={others === 0}
          onClick={() => actor.send({ type: 'endOthers.requested' })}
        >
          {isOwn ? t`End all others` : t`End all`}
        </Button>
      }
    >
      {isOwn && (
        <p className={styles.muted}>
          <Trans>End the sessions that you don't recognize, then change your password.</Trans>
        </p>
      )}
      <LoadedList
        isLoading={isLoading}
        isFailed={isFailed}
        apiError={apiError}
        onRetry={() => actor.send({ type: 'list.retried' })}
        skeletonRows={3}
        label={{ 'aria-label': t(titles.sessions) }}
        empty={
          <StatePanel icon={<MonitorSmartphone size={20} />} title={t`No sessions`}>
            <Trans>Nobody is signed in with this login now.</Trans>
          </StatePanel>
        }
      >
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            now={at}
            onEnd={() => actor.send({ type: 'end.requested', session })}
          />
        ))}
      </LoadedList>
      {tokens !== null && <UserTokens actor={tokens} />}
      {isConfirming && (
        <ConfirmDialog
          title={chosen === null ? (isOwn ? t`End all other sessions?` : t`End all sessions?`) : t`End this session?`}
          confirmLabel={chosen === null ? (isOwn ? t`End all others` : t`End all`) : t`End session`}
          busy={isEnding}
          onConfirm={() => actor.send({ type: 'end.confirmed' })}
          onCancel={() => actor.send({ type: 'end.cancelled' })}
        >
          {chosen === null ? (
            <Plural
              value={others}
              one="# session is signed out immediately. Unsaved changes there are lost."
              other="# sessions are signed out immediately. Unsaved changes there are lost."
            />
          ) : (
            <Trans>
              {device}, {ip} is signed out immediately. Unsaved changes there are lost.
            </Trans>
          )}
        </ConfirmDialog>
      )}
    </Page>
  )
}

const icons: Readonly<Record<Device['kind'], typeof Monitor>> = {
  desktop: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  program: SquareTerminal,
}

function SessionItem({
  session: { userAgent, ip, lastSeenTime, isCurrent },
  now,
  onEnd,
}: {
  session: Session
  now: number
  onEnd: () => void
}) {
  const { t } = useLingui()
  const deviceName = useDeviceName()
  const addressName = useAddressName()
  const device = deviceOf(userAgent)
  const name = deviceName(device)
  const Icon = icons[device.kind]
  const when = formatRelative(Math.min(lastSeenTime ?? now, now), now)
  return (
    <li>
      <span className={styles.avatar} aria-hidden="true">
        <Icon size={16} />
      </span>
      <div className={styles.item}>
        <p>
          <span className={styles.name} title={userAgent}>
            {name}
          </span>{' '}
          {isCurrent && <span className={`${styles.badge} ${styles.chosen}`}>{t`This session`}</span>}
        </p>
        <p className={styles.muted}>
          {addressName(ip)}
          {lastSeenTime !== undefined && (
            <>
              {' · '}
              <time dateTime={new Date(lastSeenTime).toISOString()} title={formatMoment(lastSeenTime)}>
                <Trans>active {when}</Trans>
              </time>
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button onClick={onEnd} aria-label={t`End ${name}`}>
          {t`End`}
        </Button>
      )}
    </li>
  )
}

function useDeviceName(): (device: Device) => string {
  const { t } = useLingui()
  return ({ browser, system }) => {
    if (browser !== '' && system !== '') return t`${browser} on ${system}`
    return browser || system || t`Unknown device`
  }
}

function useAddressName(): (ip: string) => string {
  const { t } = useLingui()
  return (ip) => {
    switch (addressKindOf(ip)) {
      case 'machine':
        return t`the server itself (${ip})`
      case 'local':
        return t`local network (${ip})`
      case 'public':
        return ip
      default:
        return t`unknown address`
    }
  }
}
