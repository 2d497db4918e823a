import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Pencil, ShieldAlert } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectIsFactorDue, selectUser } from '../../machines/app/app.selectors.ts'
import type { profileInfoMachine } from '../../machines/profile/profile-info.machine.ts'
import { useApp } from '../app/console.ts'
import styles from '../people/people.module.css'
import { PersonFacts } from '../people/parts.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'

const selectParts = ({ children }: SnapshotFrom<typeof profileInfoMachine>) => children

export function ProfileInfoPage({ actor }: { actor: ActorRefFrom<typeof profileInfoMachine> }) {
  const { t } = useLingui()
  const user = useApp(selectUser)
  const isFactorDue = useApp(selectIsFactorDue)
  const { secondFactor, passkeys } = useSelector(actor, selectParts)
  if (user === null) return null
  const { name, fullName, isManaged, isAdmin, maxStreamCreation: limit } = user
  return (
    <Page
      isOwnTitle
      title={fullName || name}
      width="narrow"
      actions={<ButtonLink href="/profile/me/edit" icon={<Pencil size={16} />}>{t`Edit profile`}</ButtonLink>}
    >
      {isFactorDue && (
        <p className={`${styles.notice} ${styles.warning}`} role="status">
          <ShieldAlert size={16} aria-hidden="true" />
          <span>
            <Trans>
              This server requires two-factor authentication. Turn it on below to continue; the requested page opens
              afterwards.
            </Trans>
          </span>
        </p>
      )}
      <dl className={`${styles.panel} ${styles.facts}`}>
        <dt>{t`Login`}</dt>
        <dd>{name}</dd>
        <PersonFacts user={user} />
        <dt>{t`Streams you may add`}</dt>
        <dd>
          {isAdmin || limit < 0 ? (
            t`No limit`
          ) : limit === 0 ? (
            t`0: you can only watch streams that others add`
          ) : (
            <Plural value={limit} one="At most # stream" other="At most # streams" />
          )}
        </dd>
      </dl>
      {isManaged && (
        <p className={styles.muted}>
          <Trans>Your login, email and password come from another system and are changed there.</Trans>
        </p>
      )}
      {secondFactor !== undefined && !isManaged && <SecondFactor actor={secondFactor} />}
      {passkeys !== undefined && <Passkeys actor={passkeys} />}
    </Page>
  )
}
