import { useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import {
  ArrowDown,
  ArrowDownLeft,
  ArrowDownRight,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ArrowUpLeft,
  ArrowUpRight,
  CircleAlert,
  House,
  Minus,
  Plus,
  X,
} from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { commandOf, pressedKey, ptzKeys } from '../../machines/keyboard/bindings.ts'
import { type PtzRef, selectAbilities, selectIsMoving, selectPtzError } from '../../machines/ptz/ptz.selectors.ts'
import { useProbeApiError } from '../stream-pages/words.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Presets } from './Presets.tsx'
import { type PtzKey, velocityOf } from './held-keys.ts'
import styles from './PtzPad.module.css'

/** As shares of the camera's highest speed. */
const speeds = { slowest: 0.1, usual: 0.5 } as const

interface PtzPadProps {
  ptz: PtzRef
  onClose: () => void
}

/** Turns and zooms the camera while a button or key is held (docs/behaviour.md §7, PTZ). */
export function PtzPad({ ptz, onClose }: PtzPadProps) {
  const { t } = useLingui()
  const abilities = useSelector(ptz, selectAbilities)
  const apiError = useSelector(ptz, selectPtzError)
  const isMoving = useSelector(ptz, selectIsMoving)
  const errorWords = useProbeApiError()
  const [speed, setSpeed] = useState<number>(speeds.usual)
  const pad = useRef<HTMLElement>(null)
  const held = useRef(new Set<PtzKey>())

  const begin = (keys: Iterable<PtzKey>) => ptz.send({ type: 'move.begun', velocity: velocityOf(keys, speed) })
  const end = useCallback(() => {
    held.current.clear()
    ptz.send({ type: 'move.ended' })
  }, [ptz])

  useEffect(() => {
    pad.current?.focus({ preventScroll: true })
  }, [])
  // The key or the button may be released where this page doesn't learn of it.
  useEffect(() => {
    window.addEventListener('blur', end)
    document.addEventListener('visibilitychange', end)
    return () => {
      window.removeEventListener('blur', end)
      document.removeEventListener('visibilitychange', end)
      end()
    }
  }, [end])

  const isAllowed = (key: PtzKey): boolean =>
    abilities !== null && (key === 'zoomIn' || key === 'zoomOut' ? abilities.zoom : abilities.move)
  const onKeyDown = (event: KeyboardEvent) => {
    // React passes the keys of a dialog that the pad opened to the pad.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
    // macOS doesn't report keys that are released while Cmd is held.
    if (event.key === 'Meta' && held.current.size > 0) end()
    const key = commandOf(ptzKeys, pressedKey(event))
    if (key === 'close') onClose()
    const isTyped = event.target instanceof HTMLInputElement
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    if (key === undefined || key === 'close' || isTyped || isModified || !isAllowed(key)) return
    event.preventDefault()
    if (event.repeat || held.current.has(key)) return
    held.current.add(key)
    begin(held.current)
  }
  const onKeyUp = (event: KeyboardEvent) => {
    const key = commandOf(ptzKeys, pressedKey(event))
    if (key === undefined || key === 'close' || !held.current.delete(key)) return
    if (held.current.size === 0) end()
    else begin(held.current)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (held.current.size > 0 && !currentTarget.contains(relatedTarget)) end()
  }

  const hold = (label: string, icon: ReactNode, ...keys: PtzKey[]) => (
    <Button
      aria-label={label}
      className={styles.hold ?? ''}
      isDisabled={!keys.every(isAllowed)}
      onPressStart={() => begin(keys)}
      onPressEnd={end}
    >
      {icon}
    </Button>
  )

  return (
    <section
      ref={pad}
      className={styles.pad}
      aria-label={t`PTZ`}
      tabIndex={-1}
      data-own-keys
      data-moving={isMoving || undefined}
      onKeyDown={onKeyDown}
      onKeyUp={onKeyUp}
      onBlur={onBlur}
    >
      <header className={styles.head}>
        <h2>{t`PTZ`}</h2>
        <IconButton label={t`Close`} variant="overlay" icon={<X size={16} />} onPress={onClose} />
      </header>
      <div className={styles.controls}>
        <div className={styles.directions} role="group" aria-label={t`Direction`}>
          {hold(t`Up and left`, <ArrowUpLeft size={20} />, 'up', 'left')}
          {hold(t`Up`, <ArrowUp size={20} />, 'up')}
          {hold(t`Up and right`, <ArrowUpRight size={20} />, 'up', 'right')}
          {hold(t`Left`, <ArrowLeft size={20} />, 'left')}
          <Button
            aria-label={t`Home position`}
            className={styles.hold ?? ''}
            isDisabled={abilities?.home !== true}
            onPress={() => ptz.send({ type: 'goal.chosen', goal: { home: true } })}
          >
            <House size={20} />
          </Button>
          {hold(t`Right`, <ArrowRight size={20} />, 'right')}
          {hold(t`Down and left`, <ArrowDownLeft size={20} />, 'down', 'left')}
          {hold(t`Down`, <ArrowDown size={20} />, 'down')}
          {hold(t`Down and right`, <ArrowDownRight size={20} />, 'down', 'right')}
        </div>
        <div className={styles.zoom} role="group" aria-label={t`Optical zoom`}>
          {hold(t`Optical zoom +`, <Plus size={20} />, 'zoomIn')}
          {hold(t`Optical zoom −`, <Minus size={20} />, 'zoomOut')}
        </div>
      </div>
      <label className={styles.speed}>
        <span>{t`Speed`}</span>
        <input
          type="range"
          min={speeds.slowest}
          max={1}
          step={0.1}
          value={speed}
          onChange={(event) => setSpeed(event.target.valueAsNumber)}
        />
      </label>
      {abilities?.presets === true && <Presets ptz={ptz} />}
      <div role="status">
        {apiError !== null && (
          <p className={styles.error}>
            <CircleAlert size={16} aria-hidden="true" />
            {errorWords(apiError)}
          </p>
        )}
      </div>
    </section>
  )
}
