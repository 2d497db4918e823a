import { type DragEvent, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import type { PlanCamera } from '../../api/contract/plans.ts'
import { arrowOf, type Point } from '../../machines/picture-points.ts'
import type { planEditMachine } from '../../machines/plans/plan-edit.machine.ts'
import { percent } from '../ui/box-style.ts'
import { droppedStream } from '../ui/dragged-stream.ts'
import { CameraSign, Wedge } from './CameraSign.tsx'
import { PlanCanvas } from './PlanCanvas.tsx'
import { useCameraWords } from './plan-words.ts'
import styles from './Marker.module.css'
import edit from './PlanEdit.module.css'

/** How far a key moves a camera, in fractions of the picture; with Shift five times as far. Turns in degrees. */
const step = 0.005
const turnStep = 5
const shiftFactor = 5

interface EditCanvasProps {
  actor: ActorRefFrom<typeof planEditMachine>
  picture: Blob
  aspect: number
  /** As they are shown: with the stroke that is being made. */
  cameras: readonly PlanCamera[]
  chosen: string | null
  nameOf: (uid: string) => string
  onRemove: (uid: string) => void
}

/** The plan, on which cameras are moved and turned by a pointer or by keys, and dropped from the list. */
export function EditCanvas({ actor, picture, aspect, cameras, chosen, nameOf, onRemove }: EditCanvasProps) {
  const { t } = useLingui()
  const wordsOf = useCameraWords()
  const sheet = useRef<HTMLDivElement>(null)
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = sheet.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0 || box.height === 0) return { x: 0, y: 0 }
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return
    const uid = event.target.closest<HTMLElement>('[data-camera]')?.dataset['camera']
    if (uid === undefined) return actor.send({ type: 'camera.chosen', uid: null })
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = pointOf(event)
    const isTurn = event.target.closest('[data-turn]') !== null
    const stroke = { uid, from: at, to: at }
    actor.send({
      type: 'stroke.begun',
      stroke: isTurn ? { ...stroke, kind: 'turn', aspect } : { ...stroke, kind: 'move' },
    })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    const uid = droppedStream(event)
    if (file !== undefined) actor.send({ type: 'picture.chosen', file })
    else if (uid !== '') actor.send({ type: 'camera.changed', change: { kind: 'add', uid, at: pointOf(event) } })
  }
  const press = (uid: string) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const factor = event.shiftKey ? shiftFactor : 1
    const by = arrowOf(event.key, step * factor)
    const turn = event.code === 'BracketLeft' ? -turnStep : event.code === 'BracketRight' ? turnStep : 0
    if (by !== undefined) actor.send({ type: 'camera.changed', change: { kind: 'move', uid, by } })
    else if (turn !== 0) actor.send({ type: 'camera.changed', change: { kind: 'turn', uid, degrees: turn * factor } })
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(uid)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <PlanCanvas label={t`Plan`} picture={picture} aspect={aspect} sheetRef={sheet}>
      <div
        className={styles.markers}
        role="group"
        aria-label={t`Cameras on the plan`}
        onPointerDown={begin}
        onPointerMove={(event) => event.isPrimary && actor.send({ type: 'stroke.continued', to: pointOf(event) })}
        onPointerUp={(event) => event.isPrimary && actor.send({ type: 'stroke.ended' })}
        onPointerCancel={(event) => event.isPrimary && actor.send({ type: 'stroke.cancelled' })}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        {cameras.map((camera) => {
          const uid = camera.streamId
          const isChosen = uid === chosen
          return (
            <div
              key={uid}
              className={styles.marker}
              style={{ left: percent(camera.x), top: percent(camera.y) }}
              data-camera={uid}
              data-grip
              data-chosen={isChosen || undefined}
            >
              <Wedge camera={camera} />
              <button
                type="button"
                className={styles.link}
                data-handle={uid}
                aria-pressed={isChosen}
                aria-label={`${nameOf(uid)}: ${wordsOf(camera)}`}
                title={t`Arrow keys move the camera, Shift moves it faster, [ and ] turn it, Delete removes it`}
                onClick={() => actor.send({ type: 'camera.chosen', uid })}
                onFocus={() => actor.send({ type: 'camera.chosen', uid })}
                onKeyDown={press(uid)}
              >
                <CameraSign status="placed" />
              </button>
              <span className={styles.label} aria-hidden="true">
                {nameOf(uid)}
              </span>
              {isChosen && (
                <span
                  className={edit.turn}
                  style={{ rotate: `${camera.direction ?? 0}deg` }}
                  data-unknown={camera.direction === undefined || undefined}
                  aria-hidden="true"
                >
                  <span data-turn />
                </span>
              )}
            </div>
          )
        })}
      </div>
    </PlanCanvas>
  )
}
