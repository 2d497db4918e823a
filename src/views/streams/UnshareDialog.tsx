import { Trans, useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { displayName } from './stream-words.tsx'

interface UnshareDialogProps {
  streams: readonly Stream[]
  onConfirm: () => void
  onCancel: () => void
}

/** Warns that all links to the streams stop working. */
export function UnshareDialog({ streams, onConfirm, onCancel }: UnshareDialogProps) {
  const { t } = useLingui()
  const [first] = streams
  const isOne = streams.length === 1
  const count = formatNumber(streams.length)
  const name = first === undefined ? '' : displayName(first)
  return (
    <ConfirmDialog
      title={isOne ? t`Stop sharing “${name}”?` : t`Stop sharing ${count} streams?`}
      confirmLabel={t`Stop sharing`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        {isOne ? (
          <Trans>
            All links to “{name}” stop working immediately, and their viewers are disconnected. Sharing it again creates
            a new link.
          </Trans>
        ) : (
          <Trans>
            All links to these streams stop working immediately, and their viewers are disconnected. Sharing them again
            creates new links.
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  )
}
