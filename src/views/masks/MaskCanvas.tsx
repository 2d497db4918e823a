import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { VideoOff } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Mask } from '../../api/contract/masks.ts'
import { type Corner, corners, type Stroke } from '../../machines/masks/mask-shapes.ts'
import type { masksMachine } from '../../machines/masks/masks.machine.ts'
import { arrowOf, type Point } from '../../machines/picture-points.ts'
import { selectIsBusy } from '../../machines/selectors.ts'
import type { pictureMachine } from '../../machines/stream-pages/picture.machine.ts'
import { BlobPicture } from '../stream-pages/BlobPicture.tsx'
import { boxStyle, percent } from '../ui/box-style.ts'
import { useMaskWords } from './mask-words.ts'
import styles from './Masks.module.css'

type Picture = SnapshotFrom<typeof pictureMachine>

interface MaskCanvasProps {
  actor: ActorRefFrom<typeof masksMachine>
  picture: ActorRefFrom<typeof pictureMachine>
  /** The masks as the stroke in progress changes them. */
  masks: readonly Mask[]
  chosen: number | null
  onRemove: (index: number) => void
}

const selectPicture = ({ context }: Picture) => context.picture

/** How far an arrow key moves a mask or its corner. */
const step = 0.01

const cornerKey = ({ x, y }: Corner) => `${x} ${y}`

function strokeAt(target: EventTarget, at: Point): Stroke {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-mask]') : null
  if (element === null) return { kind: 'draw', from: at, to: at }
  const index = Number(element.dataset['mask'])
  const corner = corners.find((each) => cornerKey(each) === element.dataset['corner'])
  return corner === undefined
    ? { kind: 'move', index, from: at, to: at }
    : { kind: 'resize', index, corner, from: at, to: at }
}

/** The newest picture of the stream, on which masks are drawn, moved and resized by a pointer or by keys. */
export function MaskCanvas({ actor, picture: pictureRef, masks, chosen, onRemove }: MaskCanvasProps) {
  const { t } = useLingui()
  const { nameOf, numbersOf } = useMaskWords()
  const frame = useRef<HTMLDivElement>(null)
  const picture = useSelector(pictureRef, selectPicture)
  const isBusy = useSelector(pictureRef, selectIsBusy)
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0 || box.height === 0) return { x: 0, y: 0 }
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !event.isPrimary) return
    event.currentTarget.setPointerCapture(event.pointerId)
    actor.send({ type: 'stroke.begun', stroke: strokeAt(event.target, pointOf(event)) })
  }
  const handleKey = (index: number) => (event: KeyboardEvent) => {
    const by = arrowOf(event.key, step)
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove(index)
    else if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    else actor.send({ type: event.shiftKey ? 'mask.resized' : 'mask.moved', index, by })
    event.preventDefault()
  }
  return (
    <div
      ref={frame}
      className={styles.canvas}
      role="group"
      // A press takes the focus into the editor, whose keys undo and cancel.
      tabIndex={-1}
      aria-label={t`Picture with masks`}
      data-empty={picture === null || undefined}
      onPointerDown={begin}
      onPointerMove={(event) => event.isPrimary && actor.send({ type: 'stroke.continued', to: pointOf(event) })}
      onPointerUp={(event) => event.isPrimary && actor.send({ type: 'stroke.ended' })}
      onPointerCancel={(event) => event.isPrimary && actor.send({ type: 'stroke.cancelled' })}
    >
      {picture !== null ? (
        <BlobPicture picture={picture} alt="" className={styles.picture} />
      ) : (
        !isBusy && (
          <span className={styles.none}>
            <VideoOff size={20} aria-hidden="true" />
            {t`No picture yet`}
          </span>
        )
      )}
      {masks.map((mask, index) => (
        <div
          key={index}
          className={styles.mask}
          style={boxStyle(mask)}
          data-mask={index}
          data-chosen={index === chosen || undefined}
        >
          <button
            type="button"
            className={styles.handle}
            data-handle={index}
            aria-pressed={index === chosen}
            aria-label={`${nameOf(index)}: ${numbersOf(mask)}`}
            title={t`Arrow keys move the mask, Shift + arrow keys resize it, Delete removes it`}
            onClick={() => actor.send({ type: 'mask.chosen', index })}
            onFocus={() => actor.send({ type: 'mask.chosen', index })}
            onKeyDown={handleKey(index)}
          >
            {index + 1}
          </button>
          {index === chosen &&
            corners.map((corner) => (
              <span
                key={cornerKey(corner)}
                className={styles.corner}
                style={{ left: percent(corner.x), top: percent(corner.y) }}
                data-mask={index}
                data-corner={cornerKey(corner)}
                aria-hidden="true"
              />
            ))}
        </div>
      ))}
    </div>
  )
}
