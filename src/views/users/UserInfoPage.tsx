import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Ban, LockOpen, Pencil, ShieldOff, Trash2 } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import { selectHasTokenRevocation, selectIsTotpOffered } from '../../machines/app/app.selectors.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { selectContext } from '../../machines/selectors.ts'
import type { UserChange, userInfoMachine } from '../../machines/users/user-info.machine.ts'
import { useApp } from '../app/console.ts'
import { ListSkeleton, PersonFacts } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { focusPage } from '../ui/move-focus.ts'
import { Page } from '../ui/Page.tsx'
import { Refused } from '../ui/Resource.tsx'
import { UserPasskeys } from './UserPasskeys.tsx'
import { UserState } from './UsersPage.tsx'
import styles from './users.module.css'

type Snapshot = SnapshotFrom<typeof userInfoMachine>

const selectIsChanging = (snapshot: Snapshot) => snapshot.matches('changing') || snapshot.matches('deleted')
/** A press while the user is fetched again, or after that has failed, would be lost. */
const selectIsSettled = (snapshot: Snapshot) => snapshot.matches('ready') || snapshot.matches('confirming')
const selectIsConfirming = (snapshot: Snapshot) =>
  snapshot.matches('confirming') || (snapshot.matches('changing') && snapshot.context.change !== 'unblock')

export function UserInfoPage({ actor }: { actor: ActorRefFrom<typeof userInfoMachine> }) {
  const { t } = useLingui()
  const { login, user, apiError, isSelf, change, passkeys } = useSelector(actor, selectContext)
  const isChanging = useSelector(actor, selectIsChanging)
  const isSettled = useSelector(actor, selectIsSettled)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const question = useQuestion(change, login)
  const request = (requested: typeof change) => actor.send({ type: 'change.requested', change: requested })
  return (
    <Page
      isOwnTitle
      title={user?.fullName || login}
      width="narrow"
      actions={
        <ButtonLink href={pathTo('userEdit', { login })} icon={<Pencil size={16} />}>
          {t`Edit`}
        </ButtonLink>
      }
    >
      {apiError !== null && <Refused apiError={apiError} onRetry={() => actor.send({ type: 'user.retried' })} />}
      {apiError === null && user === null && <ListSkeleton rows={4} />}
      {user !== null && (
        <div className={people.panel}>
          <Facts user={user} />
          <div className={`${people.end} ${styles.danger}`}>
            {isSelf ? (
              <p className={people.muted}>
                <Trans>This is your own account: only another administrator can block or delete it.</Trans>
              </p>
            ) : (
              <>
                {user.isBlocked ? (
                  <Button
                    icon={<LockOpen size={16} />}
                    busy={isChanging && change === 'unblock'}
                    disabled={!isSettled}
                    onClick={() => request('unblock')}
                  >
                    {t`Unblock`}
                  </Button>
                ) : (
                  <Button isFocusable icon={<Ban size={16} />} disabled={!isSettled} onClick={() => request('block')}>
                    {t`Block`}
                  </Button>
                )}
                {user.hasTotp === true && (
                  <Button
                    ref={leaveFocusToPage}
                    icon={<ShieldOff size={16} />}
                    disabled={!isSettled}
                    onClick={() => request('removeTotp')}
                  >
                    {t`Turn off two-factor authentication`}
                  </Button>
                )}
                <Button
                  variant="danger"
                  icon={<Trash2 size={16} />}
                  disabled={!isSettled}
                  onClick={() => request('delete')}
                >
                  {t`Delete`}
                </Button>
              </>
            )}
          </div>
        </div>
      )}
      {user !== null && passkeys !== null && <UserPasskeys actor={passkeys} />}
      {isConfirming && (
        <ConfirmDialog
          {...question}
          busy={isChanging}
          onConfirm={() => actor.send({ type: 'change.confirmed' })}
          onCancel={() => actor.send({ type: 'change.cancelled' })}
        >
          <Consequence change={change} login={login} />
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** The button disappears once the user is loaded again: the page then takes its focus. */
const leaveFocusToPage = (button: HTMLButtonElement | null) => () => {
  if (button !== null && button === document.activeElement) focusPage()
}

function useQuestion(change: UserChange, login: string): { title: string; confirmLabel: string } {
  const { t } = useLingui()
  if (change === 'delete') return { title: t`Delete ${login}?`, confirmLabel: t`Delete` }
  if (change === 'removeTotp') {
    return { title: t`Turn off two-factor authentication of ${login}?`, confirmLabel: t`Turn off` }
  }
  return { title: t`Block ${login}?`, confirmLabel: t`Block` }
}

function Consequence({ change, login }: { change: UserChange; login: string }) {
  const areTokensRevoked = useApp(selectHasTokenRevocation)
  if (change === 'delete') {
    return (
      <Trans>
        The user {login} is deleted with all sessions, tokens and permissions. Streams and their archives are kept.
      </Trans>
    )
  }
  if (change === 'removeTotp') {
    return (
      <Trans>
        {login} can then sign in with the password alone; all sessions of this user end immediately. Use this for users
        who have lost their phone and recovery codes.
      </Trans>
    )
  }
  if (areTokensRevoked) {
    return (
      <Trans>
        All sessions of {login} end immediately, and the API tokens are revoked permanently. The user can't sign in
        until unblocked.
      </Trans>
    )
  }
  return (
    <Trans>
      All sessions of {login} end immediately, and the tokens stop working. The user can't sign in until unblocked.
      Nothing is deleted.
    </Trans>
  )
}

function Facts({ user }: { user: User }) {
  const { t } = useLingui()
  const isTotpOffered = useApp(selectIsTotpOffered)
  const { name, isAdmin, maxStreamCreation: limit, hasTotp = false } = user
  return (
    <dl className={people.facts}>
      <dt>{t`Login`}</dt>
      <dd>{name}</dd>
      <dt>{t`State`}</dt>
      <dd>
        <UserState user={user} />
      </dd>
      <PersonFacts user={user} />
      {(isTotpOffered || hasTotp) && (
        <>
          <dt>{t`Two-factor authentication`}</dt>
          <dd>
            {hasTotp
              ? t({ message: 'On', context: 'two-factor authentication' })
              : t({ message: 'Off', context: 'two-factor authentication' })}
          </dd>
        </>
      )}
      <dt>{t`Max streams`}</dt>
      <dd>
        {isAdmin || limit < 0 ? (
          t`No limit`
        ) : (
          <Plural value={limit} _0="0 (read-only)" one="# stream" other="# streams" />
        )}
      </dd>
    </dl>
  )
}
