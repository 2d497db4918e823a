import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { useId } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import type { userTokensMachine } from '../../machines/tokens/user-tokens.machine.ts'
import { LoadedList } from '../people/LoadedList.tsx'
import { CountedHeading } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { StatePanel } from '../ui/State.tsx'
import { TokenItem } from './TokenItem.tsx'

type Snapshot = SnapshotFrom<typeof userTokensMachine>

const selectIsLoading = (snapshot: Snapshot) => snapshot.matches('loading') && snapshot.context.at === 0
const selectIsFailed = (snapshot: Snapshot) => snapshot.matches('failed')
const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches('confirming') || snapshot.matches('revoking')
const selectIsRevoking = (snapshot: Snapshot) => snapshot.matches('revoking')

/** The API tokens of another user, which administrators can revoke. */
export function UserTokens({ actor }: { actor: ActorRefFrom<typeof userTokensMachine> }) {
  const { t } = useLingui()
  const heading = useId()
  const { login, tokens, at, apiError, chosen } = useSelector(actor, selectContext)
  const isLoading = useSelector(actor, selectIsLoading)
  const isFailed = useSelector(actor, selectIsFailed)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isRevoking = useSelector(actor, selectIsRevoking)
  const name = chosen?.name || (chosen?.id ?? '')
  return (
    <section className={people.section} aria-labelledby={heading}>
      <CountedHeading
        id={heading}
        title={t`API tokens`}
        count={at > 0 && <Plural value={tokens.length} one="# token" other="# tokens" />}
      />
      <LoadedList
        isLoading={isLoading}
        isFailed={isFailed}
        apiError={apiError}
        onRetry={() => actor.send({ type: 'list.retried' })}
        skeletonRows={2}
        label={{ 'aria-labelledby': heading }}
        empty={
          <StatePanel icon={<KeyRound size={20} />} title={t`No API tokens`}>
            <Trans>No program uses a token of this user.</Trans>
          </StatePanel>
        }
      >
        {tokens.map((token) => (
          <TokenItem
            key={token.id}
            token={token}
            now={at}
            isOwn={false}
            onRemove={() => actor.send({ type: 'revoke.requested', token })}
          />
        ))}
      </LoadedList>
      {isConfirming && (
        <ConfirmDialog
          title={t`Revoke the token ${name}?`}
          confirmLabel={t`Revoke`}
          busy={isRevoking}
          onConfirm={() => actor.send({ type: 'revoke.confirmed' })}
          onCancel={() => actor.send({ type: 'revoke.cancelled' })}
        >
          <Trans>
            Programs of {login} that use {name} lose access immediately. This can't be undone.
          </Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}
