import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { formatDateTime } from '../../i18n/formats.ts'
import type { removalMachine } from '../../machines/stream-pages/removal.machine.ts'
import type { Coverage } from '../../machines/timeline/coverage.machine.ts'
import { displayName } from '../streams/stream-words.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { CheckField } from '../ui/Field.tsx'

type Snapshot = SnapshotFrom<typeof removalMachine>

const selectIsOpen = (snapshot: Snapshot) => !snapshot.matches('closed')
const selectIsBusy = (snapshot: Snapshot) => snapshot.hasTag('busy')
const selectLocked = ({ context }: Snapshot) => context.locked
const selectIsPurging = ({ context }: Snapshot) => context.isPurging

interface RemovalDialogProps {
  actor: ActorRefFrom<typeof removalMachine>
  stream: Stream
  coverage: Coverage | null
}

export function RemovalDialog({ actor, stream, coverage }: RemovalDialogProps) {
  const { t } = useLingui()
  const isOpen = useSelector(actor, selectIsOpen)
  const isBusy = useSelector(actor, selectIsBusy)
  const isPurging = useSelector(actor, selectIsPurging)
  const locked = useSelector(actor, selectLocked)
  if (!isOpen) return null
  const name = displayName(stream)
  const from = coverage?.recorded == null ? '' : formatDateTime(coverage.recorded.from, { dateStyle: 'medium' })
  const confirming = {
    confirmLabel: t`Delete`,
    busy: isBusy,
    onConfirm: () => actor.send({ type: 'removal.confirmed' }),
    onCancel: () => actor.send({ type: 'removal.cancelled' }),
  }
  if (locked.length > 0) {
    return (
      <ConfirmDialog title={t`Delete locked recordings of “${name}”?`} {...confirming}>
        <p>
          <Trans>These recordings are locked against deletion:</Trans>
        </p>
        <ul aria-label={t`Locked recordings`}>
          {locked.map((reason, index) => (
            <li key={`${index} ${reason}`}>{reason}</li>
          ))}
        </ul>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog title={t`Delete “${name}”?`} {...confirming}>
      <p>
        <Trans>
          The stream is removed from all lists and mosaics. Its settings, permissions and public link are deleted.
        </Trans>
      </p>
      <CheckField
        label={t`Also delete its archive`}
        help={
          from === ''
            ? t`All its recordings are deleted. This can't be undone.`
            : t`All its recordings since ${from} are deleted. This can't be undone.`
        }
        checked={isPurging}
        disabled={isBusy}
        onChange={(chosen) => actor.send({ type: 'removal.purgeChosen', isPurging: chosen })}
      />
    </ConfirmDialog>
  )
}
