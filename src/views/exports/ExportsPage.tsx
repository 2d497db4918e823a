import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { FileArchive } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import { type exportsMachine, isInProgress } from '../../machines/exports/exports.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { ExportCheck } from './ExportCheck.tsx'
import { ExportItem } from './ExportItem.tsx'
import styles from './Exports.module.css'

type Snapshot = SnapshotFrom<typeof exportsMachine>

const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches('confirming')

export function ExportsPage({ actor }: { actor: ActorRefFrom<typeof exportsMachine> }) {
  const { t } = useLingui()
  const { list, check, chosen } = useSelector(actor, selectContext)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const { value, apiError } = useSelector(list, ({ context }) => context)
  const count = value?.items.length ?? 0
  return (
    <Page
      title={t(titles.exports)}
      note={
        value !== null && (
          <span role="status">
            <Plural value={count} one="# export" other="# exports" />
          </span>
        )
      }
    >
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {({ items, zone }) =>
          items.length === 0 ? (
            <StatePanel icon={<FileArchive size={20} />} title={t`No exports yet`}>
              <Trans>
                Mark a range on the timeline of the player, then select Export: the signed file appears here.
              </Trans>
            </StatePanel>
          ) : (
            <ul className={styles.list} aria-label={t(titles.exports)}>
              {items.map((item) => (
                <ExportItem
                  key={item.id}
                  item={item}
                  zone={zone}
                  onDelete={() => actor.send({ type: 'delete.requested', item })}
                />
              ))}
            </ul>
          )
        }
      </Resource>
      <ExportCheck check={check} publicKey={value?.publicKey ?? ''} zone={value?.zone ?? 'UTC'} />
      {isConfirming && chosen !== null && (
        <ConfirmDialog
          title={isInProgress(chosen) ? t`Cancel this export?` : t`Delete this export?`}
          confirmLabel={isInProgress(chosen) ? t`Cancel the export` : t`Delete`}
          onConfirm={() => actor.send({ type: 'delete.confirmed' })}
          onCancel={() => actor.send({ type: 'delete.cancelled' })}
        >
          <p>
            {isInProgress(chosen) ? (
              <Trans>The server stops creating the file. The recordings are kept.</Trans>
            ) : (
              <Trans>The file on the server is deleted. Downloaded copies and the recordings are kept.</Trans>
            )}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
