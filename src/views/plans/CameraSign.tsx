import { CircleDashed, CirclePause, CircleSlash, ServerOff, TriangleAlert, Video, Zap } from 'lucide-react'
import type { PlanCamera } from '../../api/contract/plans.ts'
import { defaultFieldOfView, wedgePath } from '../../machines/plans/plan-shapes.ts'
import styles from './Marker.module.css'

/** The radius of what a camera sees, in pixels. */
const wedgeRadius = 58

/** The sign of a camera: shape, colour and icon by status. */
export function CameraSign({ status, isRecordingLost = false }: { status: string; isRecordingLost?: boolean }) {
  return (
    <span className={styles.sign} data-status={status}>
      <span className={styles.shape} />
      <span className={styles.icon}>
        <Icon status={status} />
      </span>
      {isRecordingLost && (
        <span className={styles.lost}>
          <CircleSlash size={12} />
        </span>
      )}
    </span>
  )
}

function Icon({ status }: { status: string }) {
  switch (status) {
    case 'failed':
      return <TriangleAlert size={16} />
    case 'away':
      return <ServerOff size={16} />
    case 'paused':
      return <CirclePause size={16} />
    case 'pending':
      return <CircleDashed size={16} />
    case 'idle':
      return <Zap size={16} />
    default:
      return <Video size={16} />
  }
}

export function Wedge({ camera: { direction, fieldOfView } }: { camera: PlanCamera }) {
  if (direction === undefined) return null
  const box = `${-wedgeRadius} ${-wedgeRadius} ${2 * wedgeRadius} ${2 * wedgeRadius}`
  return (
    <svg className={styles.wedge} viewBox={box} width={2 * wedgeRadius} height={2 * wedgeRadius} aria-hidden="true">
      <path d={wedgePath(direction, fieldOfView ?? defaultFieldOfView, wedgeRadius - 1)} />
    </svg>
  )
}
