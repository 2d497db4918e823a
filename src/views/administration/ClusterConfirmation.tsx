import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ClusterNode, HeldRecording } from '../../api/contract/system.ts'
import { formatBytes } from '../../i18n/bytes.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { ClusterCommand } from '../../machines/administration/administration.machines.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { sharesDatabase, nodeName } from './cluster-words.ts'

export interface Confirmation {
  kind: 'drain' | 'remove'
  node: ClusterNode
}

interface ClusterConfirmationProps extends Confirmation {
  onConfirm: (command: ClusterCommand) => void
  onCancel: () => void
}

const maxNamed = 20

/** The recordings that only the node's disks have: the archive loses them with the node. */
function HeldRecordings({ recordings }: { recordings: readonly HeldRecording[] }) {
  const { t } = useLingui()
  if (recordings.length === 0) return null
  const size = formatBytes(recordings.reduce((sum, { bytes }) => sum + bytes, 0))
  const more = recordings.length - maxNamed
  return (
    <>
      <p>
        <Trans>
          Recordings stored only on its disks will be removed from the archive ({size}). To keep them, start its server,
          or add its folders to ARCHIVE_DIRS of another node.
        </Trans>
      </p>
      <ul aria-label={t`Recordings to be removed`}>
        {recordings.slice(0, maxNamed).map(({ streamId, name, bytes, startTime, endTime }) => (
          <li key={streamId}>
            {name || streamId}: {formatMoment(startTime)} – {formatMoment(endTime)}, {formatBytes(bytes)}
          </li>
        ))}
        {more > 0 && (
          <li>
            <Plural value={more} one="# more stream" other="# more streams" />
          </li>
        )}
      </ul>
    </>
  )
}

/** Asks before a node is drained or removed. */
export function ClusterConfirmation({ kind, node, onConfirm, onCancel }: ClusterConfirmationProps) {
  const { t } = useLingui()
  const { id } = node
  if (kind === 'drain') {
    return (
      <ConfirmDialog
        title={t`Drain ${nodeName(node)}?`}
        confirmLabel={t`Drain`}
        onCancel={onCancel}
        onConfirm={() => onConfirm({ kind, id, drained: true })}
      >
        {sharesDatabase(node) ? (
          <Trans>
            Other nodes take over its streams one by one. It takes no streams until you select “Start the node”.
          </Trans>
        ) : (
          <Trans>
            The node takes and records no streams until you select “Start the node”. Its recordings are kept.
          </Trans>
        )}
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={t`Remove ${nodeName(node)}?`}
      confirmLabel={t`Remove`}
      onCancel={onCancel}
      onConfirm={() => onConfirm({ kind, id })}
    >
      {sharesDatabase(node) ? (
        <>
          <Trans>The node is removed from the list. Its recordings in the bucket are kept.</Trans>
          <HeldRecordings recordings={node.heldRecordings ?? []} />
        </>
      ) : (
        <Trans>The node is removed from the cluster. Its streams and archive are no longer available from here.</Trans>
      )}
    </ConfirmDialog>
  )
}
