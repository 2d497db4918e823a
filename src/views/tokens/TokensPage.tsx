import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Plus } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext } from '../../machines/selectors.ts'
import { titles } from '../../i18n/titles.ts'
import type { tokensMachine } from '../../machines/tokens/tokens.machine.ts'
import { LoadedList } from '../people/LoadedList.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Page } from '../ui/Page.tsx'
import { CreateToken } from './CreateToken.tsx'
import { Secret } from './Secret.tsx'
import { TokenItem } from './TokenItem.tsx'

type Snapshot = SnapshotFrom<typeof tokensMachine>

const selectIsLoading = (snapshot: Snapshot) => snapshot.matches({ list: 'loading' }) && snapshot.context.at === 0
const selectIsFailed = (snapshot: Snapshot) => snapshot.matches({ list: 'failed' })
const selectIsConfirming = (snapshot: Snapshot) =>
  snapshot.matches({ dialog: 'confirming' }) || snapshot.matches({ dialog: 'deleting' })
const selectIsDeleting = (snapshot: Snapshot) => snapshot.matches({ dialog: 'deleting' })

export function TokensPage({ actor }: { actor: ActorRefFrom<typeof tokensMachine> }) {
  const { t } = useLingui()
  const { tokens, at, apiError, created, chosen, form } = useSelector(actor, selectContext)
  const isLoading = useSelector(actor, selectIsLoading)
  const isFailed = useSelector(actor, selectIsFailed)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isDeleting = useSelector(actor, selectIsDeleting)
  const name = chosen?.name || (chosen?.id ?? '')
  const create = (
    <Button variant="primary" icon={<Plus size={16} />} onClick={() => actor.send({ type: 'create.requested' })}>
      {t`Create token`}
    </Button>
  )
  return (
    <Page
      isOwnTitle
      width="middle"
      title={t`API tokens`}
      note={at > 0 ? <Plural value={tokens.length} one="# token" other="# tokens" /> : undefined}
      actions={create}
    >
      <p className={people.muted}>
        <Trans>A token lets a program of yours call the server as you, until it expires or you delete it.</Trans>
      </p>
      {created !== null && <Secret key={created.token} actor={actor} created={created} />}
      <LoadedList
        isLoading={isLoading}
        isFailed={isFailed}
        apiError={apiError}
        onRetry={() => actor.send({ type: 'list.retried' })}
        skeletonRows={3}
        label={{ 'aria-label': t(titles.myTokens) }}
        empty={
          <StatePanel icon={<KeyRound size={20} />} title={t`No tokens yet`}>
            <Trans>Create a token for each program, so that you can revoke them separately.</Trans>
          </StatePanel>
        }
      >
        {tokens.map((token) => (
          <TokenItem
            key={token.id}
            token={token}
            now={at}
            isOwn
            onRemove={() => actor.send({ type: 'delete.requested', token })}
          />
        ))}
      </LoadedList>
      {form !== null && <CreateToken form={form} onClose={() => actor.send({ type: 'create.cancelled' })} />}
      {isConfirming && (
        <ConfirmDialog
          title={t`Delete the token ${name}?`}
          confirmLabel={t`Delete`}
          busy={isDeleting}
          onConfirm={() => actor.send({ type: 'delete.confirmed' })}
          onCancel={() => actor.send({ type: 'delete.cancelled' })}
        >
          <Trans>Programs that use {name} lose access immediately. This can't be undone.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}
