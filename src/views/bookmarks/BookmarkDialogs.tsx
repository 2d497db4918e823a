import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { apiErrorText } from '../../i18n/errors.ts'
import type { bookmarksMachine } from '../../machines/bookmarks/bookmarks.machine.ts'
import { previewKey } from '../../machines/bookmarks/bookmark-location.ts'
import { streamName } from '../../machines/bookmarks/shown.ts'
import { selectContext } from '../../machines/selectors.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { MomentPicture } from './MomentPicture.tsx'
import { MomentTime } from './MomentTime.tsx'
import { NoteDialog } from './NoteDialog.tsx'
import styles from './Bookmarks.module.css'

type Snapshot = SnapshotFrom<typeof bookmarksMachine>

const selectForm = ({ children }: Snapshot) => children.form
const selectPreviews = ({ children }: Snapshot) => children.previews
const selectIsConfirming = (snapshot: Snapshot) =>
  snapshot.matches({ dialog: 'confirming' }) || snapshot.matches({ dialog: 'deleting' })
const selectIsRemoving = (snapshot: Snapshot) => snapshot.hasTag('removing')

export function BookmarkDialogs({ actor }: { actor: ActorRefFrom<typeof bookmarksMachine> }) {
  const { t, i18n } = useLingui()
  const { chosen, names, zone, removalApiError } = useSelector(actor, selectContext)
  const form = useSelector(actor, selectForm)
  const previews = useSelector(actor, selectPreviews)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const isRemoving = useSelector(actor, selectIsRemoving)
  if (chosen === null) return null
  const { streamId, time, note } = chosen
  const name = streamName(names, streamId)
  const errorText = removalApiError === null ? null : apiErrorText(removalApiError.code)
  const moment = (
    <div className={styles.moment}>
      {names.get(streamId) !== null && (
        <MomentPicture previews={previews} previewKey={previewKey({ streamId, at: time })} />
      )}
      <strong>{name}</strong>
      <MomentTime at={time} zone={zone} />
    </div>
  )
  if (form !== undefined) {
    return (
      <NoteDialog title={t`Edit bookmark`} form={form} onClose={() => actor.send({ type: 'edit.cancelled' })}>
        {moment}
      </NoteDialog>
    )
  }
  if (!isConfirming) return null
  return (
    <ConfirmDialog
      title={t`Delete this bookmark?`}
      confirmLabel={t`Delete`}
      busy={isRemoving}
      onConfirm={() => actor.send({ type: 'delete.confirmed' })}
      onCancel={() => actor.send({ type: 'delete.cancelled' })}
    >
      {moment}
      {note !== '' && <p className={styles.note}>{note}</p>}
      <p>
        {note === '' ? (
          <Trans>The bookmark is deleted permanently. The recording is kept.</Trans>
        ) : (
          <Trans>The bookmark and its note are deleted permanently. The recording is kept.</Trans>
        )}
      </p>
      {errorText !== null && (
        <p className={styles.apiError} role="alert">
          {i18n._(errorText.message)} {errorText.code}
        </p>
      )}
    </ConfirmDialog>
  )
}
