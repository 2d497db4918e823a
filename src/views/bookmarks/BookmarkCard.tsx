import { Trans, useLingui } from '@lingui/react/macro'
import { Pencil, Trash2, VideoOff } from 'lucide-react'
import { Link } from 'wouter'
import type { Bookmark } from '../../api/contract/system.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { previewKey } from '../../machines/bookmarks/bookmark-location.ts'
import { liveAddress, searchOf } from '../../machines/player/address.ts'
import type { PreviewsRef } from '../../machines/streams/streams.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { MomentPicture } from './MomentPicture.tsx'
import { MomentTime } from './MomentTime.tsx'
import { SelectRecording } from './SelectRecording.tsx'
import styles from './Bookmarks.module.css'

interface BookmarkCardProps {
  bookmark: Bookmark
  name: string
  zone: string
  /** The stream was deleted or the user has no access: the card isn't a link. */
  isGone: boolean
  previews: PreviewsRef | undefined
  onEdit: () => void
  onDelete: () => void
}

export function BookmarkCard({ bookmark, name, zone, isGone, previews, onEdit, onDelete }: BookmarkCardProps) {
  const { t } = useLingui()
  const { streamId, time, note } = bookmark
  return (
    <li className={styles.card}>
      {isGone ? (
        <div className={styles.open}>
          <span className={styles.picture}>
            <span className={styles.word}>
              <VideoOff size={20} aria-hidden="true" />
              <Trans>This stream was deleted, or you have no access</Trans>
            </span>
          </span>
          <strong>{name}</strong>
          <MomentTime at={time} zone={zone} />
        </div>
      ) : (
        <Link
          href={`${pathTo('streamView', { uid: streamId })}${searchOf('', { ...liveAddress, at: time })}`}
          className={styles.open}
        >
          <MomentPicture previews={previews} previewKey={previewKey({ streamId, at: time })} />
          <strong>{name}</strong>
          <MomentTime at={time} zone={zone} />
        </Link>
      )}
      <div className={styles.foot}>
        <p className={`${styles.note} ${styles.clamped}`} title={note}>
          {note}
        </p>
        {!isGone && <SelectRecording streamId={streamId} happened={{ from: time, to: time }} name={name} />}
        <IconButton label={t`Edit`} icon={<Pencil size={16} />} onPress={onEdit} />
        <IconButton label={t`Delete`} icon={<Trash2 size={16} />} onPress={onDelete} />
      </div>
    </li>
  )
}
