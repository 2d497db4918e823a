import { useMemo } from 'react'
import { useSelector } from '@xstate/react'
import { Trans } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import type { SnapshotFrom } from 'xstate'
import type { previewsMachine } from '../../machines/streams/previews.machine.ts'
import { type PreviewsRef, selectPicture } from '../../machines/streams/streams.selectors.ts'
import styles from './Bookmarks.module.css'

type Snapshot = SnapshotFrom<typeof previewsMachine> | undefined

const selectHasMissed = (key: string) => (snapshot: Snapshot) => snapshot?.context.misses.has(key) === true

export function MomentPicture({ previews, previewKey }: { previews: PreviewsRef | undefined; previewKey: string }) {
  const url = useSelector(
    previews,
    useMemo(() => selectPicture(previewKey), [previewKey]),
  )
  const hasMissed = useSelector(
    previews,
    useMemo(() => selectHasMissed(previewKey), [previewKey]),
  )
  return (
    <span className={styles.picture}>
      {url !== undefined && <img src={url} alt="" draggable={false} />}
      {url === undefined && hasMissed && (
        <span className={styles.word}>
          <ImageOff size={20} aria-hidden="true" />
          <Trans>No picture of this moment</Trans>
        </span>
      )}
    </span>
  )
}
