import { useId } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { userPasskeysMachine } from '../../machines/users/user-passkeys.machine.ts'
import { LoadedList } from '../people/LoadedList.tsx'
import { CountedHeading } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { PasskeyItem } from '../profile/PasskeyItem.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'

type Snapshot = SnapshotFrom<typeof userPasskeysMachine>

const selectIsLoading = (snapshot: Snapshot) => snapshot.matches('loading') && snapshot.context.at === 0
const selectIsFailed = (snapshot: Snapshot) => snapshot.matches('failed')
const selectIsAsking = (snapshot: Snapshot) => snapshot.matches('confirming') || snapshot.matches('removing')
const selectIsRemoving = (snapshot: Snapshot) => snapshot.matches('removing')

/** The passkeys of another user, for one who has lost the phone. */
export function UserPasskeys({ actor }: { actor: ActorRefFrom<typeof userPasskeysMachine> }) {
  const { t } = useLingui()
  const heading = useId()
  const { login, passkeys, at, apiError, chosen } = useSelector(actor, selectContext)
  const isLoading = useSelector(actor, selectIsLoading)
  const isFailed = useSelector(actor, selectIsFailed)
  const isAsking = useSelector(actor, selectIsAsking)
  const isRemoving = useSelector(actor, selectIsRemoving)
  const name = chosen?.name || (chosen?.id ?? '')
  return (
    <section className={people.section} aria-labelledby={heading}>
      <CountedHeading
        id={heading}
        title={t`Passkeys`}
        count={at > 0 && <Plural value={passkeys.length} one="# passkey" other="# passkeys" />}
      />
      <LoadedList
        isLoading={isLoading}
        isFailed={isFailed}
        apiError={apiError}
        onRetry={() => actor.send({ type: 'list.retried' })}
        skeletonRows={1}
        label={{ 'aria-labelledby': heading }}
        empty={
          <p className={people.muted}>
            <Trans>This user signs in without passkeys.</Trans>
          </p>
        }
      >
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            passkey={passkey}
            now={at}
            host={globalThis.location.hostname}
            onRemove={() => actor.send({ type: 'removal.requested', passkey })}
          />
        ))}
      </LoadedList>
      {isAsking && (
        <ConfirmDialog
          title={t`Remove the passkey ${name} of ${login}?`}
          confirmLabel={t`Remove`}
          busy={isRemoving}
          onConfirm={() => actor.send({ type: 'removal.confirmed' })}
          onCancel={() => actor.send({ type: 'removal.cancelled' })}
        >
          <Trans>
            {login} can no longer sign in with {name}; all sessions of this user end immediately. The password keeps
            working.
          </Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}
