import { type FocusEvent, type KeyboardEvent, type ReactNode, type Ref, useLayoutEffect, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { arrowOf } from '../../machines/picture-points.ts'
import { useMagnifier } from '../player/use-magnifier.ts'
import { BlobPicture } from '../stream-pages/BlobPicture.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Plan.module.css'

/** How far an arrow key moves a magnified plan, and the margin around a camera that takes the focus, in pixels. */
const panStep = 80
const margin = 48

const ignore = () => undefined

interface PlanCanvasProps {
  label: string
  picture: Blob
  /** Width of the picture by its height. */
  aspect: number
  /** The element of the picture. */
  sheetRef?: Ref<HTMLDivElement>
  /** What lies on the picture, in fractions of its size. */
  children: ReactNode
}

/** The picture of a plan as large as fits, magnified by the wheel, pinching, buttons and keys; arrow keys pan it. */
export function PlanCanvas({ label, picture, aspect, sheetRef, children }: PlanCanvasProps) {
  const { t } = useLingui()
  const { scale, frameRef, zoomRef, magnify, shrink, reset, pan } = useMagnifier(ignore)
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => layer.current?.style.setProperty('--scale', String(scale)), [scale])
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = event.target === event.currentTarget ? arrowOf(event.key, panStep) : undefined
    if (arrow !== undefined) pan(-arrow.x, -arrow.y)
    else if (event.key === '+' || event.key === '=') magnify()
    else if (event.key === '-') shrink()
    else if (event.key === '0') reset()
    else return
    event.preventDefault()
  }
  const isPressing = useRef(false)
  const notePress = () => {
    isPressing.current = true
    setTimeout(() => {
      isPressing.current = false
    })
  }
  /** Moves a camera that takes the focus outside the frame into it, but not from under the pointer that presses it. */
  const reveal = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (isPressing.current || target === currentTarget || layer.current?.contains(target) !== true) return
    const [own, frame] = [target.getBoundingClientRect(), currentTarget.getBoundingClientRect()]
    const across = Math.max(0, frame.left + margin - own.left) - Math.max(0, own.right + margin - frame.right)
    const down = Math.max(0, frame.top + margin - own.top) - Math.max(0, own.bottom + margin - frame.bottom)
    if (scale > 1 && (across !== 0 || down !== 0)) pan(across, down)
  }
  return (
    <div
      ref={frameRef}
      className={styles.frame}
      role="region"
      aria-label={label}
      tabIndex={0}
      data-magnified={scale > 1 || undefined}
      data-plan-frame
      onKeyDown={press}
      onMouseDownCapture={notePress}
      onFocus={reveal}
    >
      <div className={styles.zoom} ref={zoomRef}>
        <div ref={layer} className={styles.centre}>
          <div
            ref={sheetRef}
            className={styles.sheet}
            style={{ aspectRatio: aspect, width: `min(100cqw, calc(100cqh * ${aspect}))` }}
          >
            <BlobPicture picture={picture} alt="" className={styles.picture} />
            {children}
          </div>
        </div>
      </div>
      <div className={styles.zoomTools}>
        <IconButton label={t`Zoom in`} shortcut="+" placement="left" icon={<ZoomIn size={20} />} onPress={magnify} />
        <IconButton
          label={t`Zoom out`}
          shortcut="-"
          placement="left"
          icon={<ZoomOut size={20} />}
          disabled={scale === 1}
          onPress={shrink}
        />
        <IconButton
          label={t`Whole plan`}
          shortcut="0"
          placement="left"
          icon={<Maximize size={20} />}
          disabled={scale === 1}
          onPress={reset}
        />
      </div>
    </div>
  )
}
