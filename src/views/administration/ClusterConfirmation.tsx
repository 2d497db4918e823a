import { Trans, useLingui } from '@lingui/react/macro'
import type { ClusterNode } from '../../api/contract/system.ts'
import type { ClusterCommand } from '../../machines/administration/administration.machines.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { isShared, nodeName } from './cluster-words.ts'

export interface Confirmation {
  kind: 'drain' | 'remove'
  node: ClusterNode
}

interface ClusterConfirmationProps extends Confirmation {
  onConfirm: (command: ClusterCommand) => void
  onCancel: () => void
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
        {isShared(node) ? (
          <Trans>Other nodes take over its streams one by one. It takes no streams until it is started again.</Trans>
        ) : (
          <Trans>The node takes and records no streams until it is started again. Its recordings are kept.</Trans>
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
      {isShared(node) ? (
        <Trans>
          The node is removed from the list. Recordings that it didn't upload to the bucket can't be played until its
          server starts again.
        </Trans>
      ) : (
        <Trans>The node is removed from the cluster. Its streams and archive are no longer available from here.</Trans>
      )}
    </ConfirmDialog>
  )
}
