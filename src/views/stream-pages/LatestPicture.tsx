import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { VideoOff } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { selectIsBusy } from '../../machines/selectors.ts'
import type { pictureMachine } from '../../machines/stream-pages/picture.machine.ts'
import { BlobPicture } from './BlobPicture.tsx'
import styles from './LatestPicture.module.css'

type Snapshot = SnapshotFrom<typeof pictureMachine>

const selectPicture = ({ context }: Snapshot) => context.picture

export function LatestPicture({ actor, stream }: { actor: ActorRefFrom<typeof pictureMachine>; stream: Stream }) {
  const { t } = useLingui()
  const picture = useSelector(actor, selectPicture)
  const isBusy = useSelector(actor, selectIsBusy)
  return (
    <Link
      href={pathTo('streamView', { uid: stream.uid })}
      className={styles.frame}
      aria-label={t`Watch`}
      aria-busy={(isBusy && picture === null) || undefined}
    >
      {picture === null ? (
        !isBusy && (
          <span className={styles.none}>
            <VideoOff size={20} aria-hidden="true" />
            {t`No picture yet`}
          </span>
        )
      ) : (
        <BlobPicture picture={picture} alt="" className={styles.picture} />
      )}
    </Link>
  )
}
