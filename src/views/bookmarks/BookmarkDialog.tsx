import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { bookmarkDraftMachine } from '../../machines/bookmarks/bookmark-draft.machine.ts'
import { previewKey } from '../../machines/bookmarks/bookmark-location.ts'
import { selectContext } from '../../machines/selectors.ts'
import { MomentPicture } from './MomentPicture.tsx'
import { MomentTime } from './MomentTime.tsx'
import { NoteDialog } from './NoteDialog.tsx'
import styles from './Bookmarks.module.css'

type Snapshot = SnapshotFrom<typeof bookmarkDraftMachine>

const selectForm = ({ children }: Snapshot) => children.form
const selectPreviews = ({ children }: Snapshot) => children.previews

export function BookmarkDialog({
  actor,
  onClose,
}: {
  actor: ActorRefFrom<typeof bookmarkDraftMachine>
  onClose: () => void
}) {
  const { t } = useLingui()
  const moment = useSelector(actor, selectContext)
  const form = useSelector(actor, selectForm)
  const previews = useSelector(actor, selectPreviews)
  if (form === undefined) return null
  return (
    <NoteDialog title={t`Bookmark`} form={form} onClose={onClose}>
      <div className={styles.moment}>
        <MomentPicture previews={previews} previewKey={previewKey(moment)} />
        <MomentTime at={moment.at} zone={moment.zone} />
      </div>
    </NoteDialog>
  )
}
