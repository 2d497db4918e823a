import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectIsBusy } from '../../machines/selectors.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { formatDay } from '../../i18n/formats.ts'
import type { removalMachine } from '../../machines/stream-pages/removal.machine.ts'
import type { Coverage } from '../../machines/timeline/coverage.machine.ts'
import { LockedRemovalDialog } from '../locks/LockedRemovalDialog.tsx'
import { displayName } from '../streams/stream-words.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { CheckField } from '../ui/Field.tsx'

type Snapshot = SnapshotFrom<typeof removalMachine>

const selectIsOpen = (snapshot: Snapshot) => !snapshot.matches('closed')
const selectLockReasons = ({ context }: Snapshot) => context.lockReasons
const selectWithArchive = ({ context }: Snapshot) => context.withArchive

interface RemovalDialogProps {
  actor: ActorRefFrom<typeof removalMachine>
  stream: Stream
  coverage: Coverage | null
}

export function RemovalDialog({ actor, stream, coverage }: RemovalDialogProps) {
  const { t } = useLingui()
  const isOpen = useSelector(actor, selectIsOpen)
  const isBusy = useSelector(actor, selectIsBusy)
  const withArchive = useSelector(actor, selectWithArchive)
  const lockReasons = useSelector(actor, selectLockReasons)
  if (!isOpen) return null
  const name = displayName(stream)
  const firstDay = coverage?.recorded == null ? '' : formatDay(coverage.recorded.from)
  const dialogProps = {
    confirmLabel: t`Delete`,
    busy: isBusy,
    onConfirm: () => actor.send({ type: 'removal.confirmed' }),
    onCancel: () => actor.send({ type: 'removal.cancelled' }),
  }
  if (lockReasons.length > 0) {
    const title = t`Delete locked recordings of “${name}”?`
    return <LockedRemovalDialog title={title} locked={lockReasons} {...dialogProps} />
  }
  return (
    <ConfirmDialog title={t`Delete “${name}”?`} {...dialogProps}>
      <p>
        <Trans>
          The stream is removed from all lists and mosaics. Its settings, permissions and public link are deleted.
        </Trans>
      </p>
      <CheckField
        label={t`Also delete its archive`}
        help={
          firstDay === ''
            ? t`All its recordings are deleted. This can't be undone.`
            : t`All its recordings since ${firstDay} are deleted. This can't be undone.`
        }
        checked={withArchive}
        disabled={isBusy}
        onChange={(chosen) => actor.send({ type: 'removal.purgeChosen', withArchive: chosen })}
      />
    </ConfirmDialog>
  )
}
