import { useLayoutEffect, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Check, ServerOff } from 'lucide-react'
import { Link } from 'wouter'
import type { PlanCamera } from '../../api/contract/plans.ts'
import type { Stream } from '../../api/contract/stream.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { Cluster } from '../../machines/stream/stream.selectors.ts'
import type { PreviewsRef } from '../../machines/streams/streams.selectors.ts'
import { Preview } from '../streams/Preview.tsx'
import { displayName } from '../streams/stream-words.tsx'
import { StatusMark } from '../streams/StatusMark.tsx'
import { percent } from '../ui/box-style.ts'
import { CameraSign, Wedge } from './CameraSign.tsx'
import { isRecordingLost, signStatus, useStateWords } from './plan-words.ts'
import styles from './Marker.module.css'

interface PlanMarkerProps {
  camera: PlanCamera
  stream: Stream
  cluster: Cluster
  previews: PreviewsRef
  isPointed: boolean
  isChosen: boolean
  /** A click chooses the camera instead of opening its player. */
  isChoosing: boolean
  hasName: boolean
  onPoint: (isPointed: boolean) => void
  onToggle: () => void
}

/** A camera on a plan: a link to its player, with its picture while it is pointed at. */
export function PlanMarker({
  camera,
  stream,
  cluster,
  previews,
  isPointed,
  isChosen,
  isChoosing,
  hasName,
  onPoint,
  onToggle,
}: PlanMarkerProps) {
  const { t } = useLingui()
  const wordsOf = useStateWords()
  const isTouch = useRef(false)
  const wasPointed = useRef(false)
  const name = displayName(stream)
  const status = signStatus(stream, cluster)
  const words = `${name}: ${wordsOf(stream, cluster)}`
  return (
    <li
      className={styles.marker}
      style={{ left: percent(camera.x), top: percent(camera.y) }}
      data-status={status}
      data-pointed={isPointed || undefined}
      data-chosen={isChosen || undefined}
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && onPoint(true)}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onPoint(false)}
    >
      <Wedge camera={camera} />
      <Link
        href={pathTo('streamView', { uid: stream.uid })}
        className={styles.link}
        aria-label={isChosen ? t`${words}, selected` : words}
        data-uid={stream.uid}
        draggable={false}
        onPointerDown={({ pointerType }) => {
          isTouch.current = pointerType === 'touch'
          wasPointed.current = isPointed
        }}
        // Safari focuses a tapped link only if it has a tabIndex.
        tabIndex={0}
        // The link doesn't call its own `onClick` while Ctrl is held.
        onClickCapture={(event) => {
          // The first tap shows the picture, as nothing hovers on a touch screen.
          const isFirstTap = isTouch.current && !wasPointed.current
          isTouch.current = false
          if (isChoosing || event.ctrlKey || event.metaKey) onToggle()
          else if (isFirstTap) onPoint(true)
          else return
          event.preventDefault()
        }}
        onKeyDown={(event) => {
          if (event.key === ' ') onToggle()
          else if (event.key === 'Escape' && isPointed) onPoint(false)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
        onFocus={() => onPoint(true)}
        onBlur={() => onPoint(false)}
      >
        <CameraSign status={status} isRecordingLost={isRecordingLost(stream, cluster)} />
        {isChosen && (
          <span className={styles.tick}>
            <Check size={12} aria-hidden="true" />
          </span>
        )}
      </Link>
      {hasName && !isPointed && (
        <span className={styles.label} aria-hidden="true">
          {name}
        </span>
      )}
      {isPointed && <Card stream={stream} cluster={cluster} name={name} previews={previews} />}
    </li>
  )
}

/** The newest picture of a camera, beside its sign, on the side where the frame has room. */
function Card({
  stream,
  cluster,
  name,
  previews,
}: Pick<PlanMarkerProps, 'stream' | 'cluster' | 'previews'> & { name: string }) {
  const { t } = useLingui()
  const wordsOf = useStateWords()
  const status = signStatus(stream, cluster)
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = card.current
    const frame = element?.closest('[data-plan-frame]')?.getBoundingClientRect()
    const sign = element?.parentElement?.getBoundingClientRect()
    if (element === null || frame === undefined || sign === undefined) return
    const { width, height } = element.getBoundingClientRect()
    const middle = sign.left + sign.width / 2
    const isLow = sign.top - height - 12 < frame.top
    element.dataset['side'] = isLow ? 'below' : 'above'
    element.dataset['align'] =
      middle - width / 2 < frame.left ? 'start' : middle + width / 2 > frame.right ? 'end' : 'centre'
  }, [])
  return (
    <div ref={card} className={styles.card} aria-hidden="true">
      <Preview previews={previews} stream={stream} />
      <strong className={styles.cardName}>{name}</strong>
      <span className={styles.cardState}>
        {status === 'away' ? (
          <span className={styles.away}>
            <ServerOff size={16} />
            {wordsOf(stream, cluster)}
          </span>
        ) : (
          <StatusMark status={status} />
        )}
        {isRecordingLost(stream, cluster) && <span className={styles.notRecording}>{t`Not recording`}</span>}
      </span>
    </div>
  )
}
