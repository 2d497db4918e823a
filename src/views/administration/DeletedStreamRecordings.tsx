import { useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { Recordings } from '../../api/contract/archive.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { recordingsMachine } from '../../machines/administration/administration.machines.ts'
import { reasonsIn } from '../../machines/stream-pages/locked-reasons.ts'
import { LockedRemovalDialog } from '../locks/LockedRemovalDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Panel } from '../ui/Page.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Statistics.module.css'

type Recording = Recordings['items'][number]

const nameOf = ({ name, uid }: Recording) => name || uid

export function DeletedStreamRecordings({ actor }: { actor: ActorRefFrom<typeof recordingsMachine> }) {
  const { t } = useLingui()
  const { value, unconfirmed } = useSelector(actor, ({ context }) => context)
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  const [toDelete, setToDelete] = useState<Recording | null>(null)
  if (value === null || value.length === 0) return null
  const locked = value.find(({ uid }) => uid === unconfirmed?.command.uid)
  const name = locked && nameOf(locked)
  const columns: readonly Column<Recording>[] = [
    { id: 'name', label: t`Stream`, render: nameOf },
    { id: 'period', label: t`Recorded`, render: ({ period }) => <TimeRange period={period} /> },
    { id: 'bytes', label: t`Size`, render: ({ bytes }) => formatBytes(bytes), isFigure: true },
    {
      id: 'actions',
      label: '',
      render: (recording) => (
        <Button
          variant="quiet"
          disabled={isBusy}
          icon={<Trash2 size={16} aria-hidden="true" />}
          onClick={() => setToDelete(recording)}
        >
          {t`Delete`}
        </Button>
      ),
    },
  ]
  return (
    <Panel title={t`Recordings of deleted streams`}>
      <p className={styles.help}>
        <Plural value={value.length} one="# recording" other="# recordings" />
      </p>
      <Table label={t`Recordings of deleted streams`} columns={columns} rows={value} keyOf={({ uid }) => uid} />
      {toDelete !== null && (
        <ConfirmDialog
          title={t`Delete the recordings of ${toDelete.name || toDelete.uid}?`}
          confirmLabel={t`Delete`}
          onCancel={() => setToDelete(null)}
          onConfirm={() => {
            actor.send({ type: 'command.requested', command: { kind: 'remove', uid: toDelete.uid, unlock: false } })
            setToDelete(null)
          }}
        >
          <Trans>
            All recordings of this stream ({formatBytes(toDelete.bytes)}) are deleted. This can't be undone.
          </Trans>
        </ConfirmDialog>
      )}
      {unconfirmed !== null && locked !== undefined && (
        <LockedRemovalDialog
          title={t`Delete locked recordings of “${name}”?`}
          locked={reasonsIn(unconfirmed.apiError.details)}
          confirmLabel={t`Delete`}
          onCancel={() => actor.send({ type: 'command.dropped' })}
          onConfirm={() => actor.send({ type: 'command.requested', command: { ...unconfirmed.command, unlock: true } })}
        />
      )}
    </Panel>
  )
}

function TimeRange({ period }: Pick<Recording, 'period'>) {
  if (!period) return '–'
  return (
    <>
      {formatMoment(period.startTime)} – {formatMoment(period.endTime)}
    </>
  )
}
