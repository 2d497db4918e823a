import { useId } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { KeyRound, Plus } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectIsFactorDue } from '../../machines/app/app.selectors.ts'
import type { passkeysMachine } from '../../machines/profile/passkeys.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { useApp } from '../app/console.ts'
import { LoadedList } from '../people/LoadedList.tsx'
import { CountedHeading } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { StatePanel } from '../ui/State.tsx'
import { NewPasskey } from './NewPasskey.tsx'
import { PasskeyItem } from './PasskeyItem.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'

type Snapshot = SnapshotFrom<typeof passkeysMachine>

const selectChildren = ({ children }: Snapshot) => children
const selectIsAbsent = (snapshot: Snapshot) => snapshot.matches('absent')
const selectIsLoading = (snapshot: Snapshot) => snapshot.matches({ present: { list: 'loading' } })
const selectIsFailed = (snapshot: Snapshot) => snapshot.matches({ present: { list: 'failed' } })
const selectIsRemoving = (snapshot: Snapshot) => snapshot.matches({ present: { dialog: 'removing' } })
const selectIsConfirming = (snapshot: Snapshot) =>
  snapshot.matches({ present: { dialog: 'confirming' } }) || selectIsRemoving(snapshot)

/** Lists the user's own passkeys, and adds, renames and removes them. */
export function Passkeys({ actor }: { actor: ActorRefFrom<typeof passkeysMachine> }) {
  const { t } = useLingui()
  const heading = useId()
  const { passkeys, at, host, apiError, chosen, failure, isManaged } = useSelector(actor, selectContext)
  const { newPasskey, rename } = useSelector(actor, selectChildren)
  const isLoading = useSelector(actor, selectIsLoading)
  const isFailed = useSelector(actor, selectIsFailed)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isRemoving = useSelector(actor, selectIsRemoving)
  const isFactorDue = useApp(selectIsFactorDue)
  const cancel = () => actor.send({ type: 'passkey.cancelled' })
  if (useSelector(actor, selectIsAbsent)) return null
  const name = chosen?.name ?? ''
  return (
    <section className={people.section} aria-labelledby={heading}>
      <div className={people.head}>
        <CountedHeading
          id={heading}
          title={t`Passkeys`}
          count={at > 0 && <Plural value={passkeys.length} one="# passkey" other="# passkeys" />}
        />
        {!isManaged && !isFactorDue && (
          <Button
            icon={<Plus size={16} />}
            onClick={() => actor.send({ type: 'passkey.addRequested' })}
          >{t`Add passkey`}</Button>
        )}
      </div>
      {isManaged && (
        <p className={people.muted}>
          <Trans>Your account comes from another system: passkeys can't be added here.</Trans>
        </p>
      )}
      {newPasskey !== undefined && <NewPasskey actor={newPasskey} onCancel={cancel} />}
      {failure !== null && (
        <p className={`${people.notice} ${people.warning}`} role="alert">
          <KeyRound size={16} aria-hidden="true" />
          <span>
            {failure === 'existing' ? (
              <Trans>This device already has a passkey of yours.</Trans>
            ) : failure === 'unsuitable' ? (
              <Trans>This device can't keep a passkey: it needs a PIN, a fingerprint or face recognition.</Trans>
            ) : (
              <Trans>The passkey was not created. Try again, or use another device.</Trans>
            )}
          </span>
        </p>
      )}
      <LoadedList
        isLoading={isLoading}
        isFailed={isFailed}
        apiError={apiError}
        onRetry={() => actor.send({ type: 'list.retried' })}
        skeletonRows={1}
        label={{ 'aria-labelledby': heading }}
        empty={
          !isManaged && (
            <StatePanel icon={<KeyRound size={20} />} title={t`No passkeys yet`}>
              <Trans>
                With a passkey you sign in by fingerprint, face or PIN, without your password and without a code.
              </Trans>
            </StatePanel>
          )
        }
      >
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            passkey={passkey}
            now={at}
            host={host}
            onRename={() => actor.send({ type: 'passkey.renameRequested', passkey })}
            onRemove={() => actor.send({ type: 'passkey.removeRequested', passkey })}
          />
        ))}
      </LoadedList>
      {rename !== undefined && <RenamePasskey form={rename} onClose={cancel} />}
      {isConfirming && (
        <ConfirmDialog
          title={t`Remove the passkey ${name}?`}
          confirmLabel={t`Remove`}
          busy={isRemoving}
          onConfirm={() => actor.send({ type: 'removal.confirmed' })}
          onCancel={cancel}
        >
          <Trans>
            You can no longer sign in with {name}, and your other sessions end. Delete the passkey on your device, too.
          </Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}
