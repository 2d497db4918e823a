import { useMemo } from 'react'
import { useSelector } from '@xstate/react'
import { CirclePause, TriangleAlert, Video } from 'lucide-react'
import type { Stream } from '../../api/contract/stream.ts'
import { type PreviewsRef, selectPicture } from '../../machines/streams/streams.selectors.ts'
import { useReason } from '../stream-pages/reasons.ts'
import styles from './Preview.module.css'

export function Preview({ previews, stream }: { previews: PreviewsRef | undefined; stream: Stream }) {
  const reasonOf = useReason()
  const reason = stream.status === 'failed' ? reasonOf(stream.failureReason) : ''
  const url = useSelector(
    previews,
    useMemo(() => selectPicture(stream.uid), [stream.uid]),
  )
  const isOld = stream.status === 'paused' || stream.status === 'failed'
  return (
    <span className={styles.preview} data-old={isOld || undefined}>
      {url === undefined ? (
        <Placeholder status={stream.status} />
      ) : (
        <img className={styles.picture} src={url} alt="" draggable={false} />
      )}
      {reason !== '' && (
        <span className={styles.reason} title={reason}>
          {reason}
        </span>
      )}
    </span>
  )
}

function Placeholder({ status }: { status: string }) {
  const Icon = status === 'failed' ? TriangleAlert : status === 'paused' ? CirclePause : Video
  return <Icon size={20} aria-hidden="true" className={styles.placeholder} />
}
