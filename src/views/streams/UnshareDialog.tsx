import { Trans, useLingui } from '@lingui/react/macro'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { askedStreams, type StreamsQuestionProps } from './asked-streams.ts'

/** Warns that all links to the streams stop working. */
export function UnshareDialog({ streams, onConfirm, onCancel }: StreamsQuestionProps) {
  const { t } = useLingui()
  const { isOne, name, count } = askedStreams(streams)
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
