import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../i18n/formats.ts'
import { shuttleSpeeds } from '../../machines/player/speeds.ts'
import { moveFocusOnUnmount } from '../ui/move-focus.ts'
import styles from './Shuttle.module.css'

/** What the shuttle controls: a player, or all tiles of a mosaic. */
export interface ShuttleDrive {
  /** The speed, negative backwards. */
  rate: () => number
  isPlaying: () => boolean
  send: (
    event:
      | { readonly type: 'play.requested' | 'pause.requested' }
      | { readonly type: 'speed.chosen' | 'reverse.requested'; readonly rate: number },
  ) => void
}

interface ShuttleProps {
  drive: ShuttleDrive
  onClose: () => void
}

const last = shuttleSpeeds.length - 1
const middle = last / 2
const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }
const keyPositions: Readonly<Record<string, number>> = { Home: 0, End: last, '0': middle }

/**
 * Plays at a speed from −16× to 16× while it is held (docs/behaviour.md §7). When it is released or loses the focus, it
 * springs back: the picture pauses, and the speed is again the one from before, or 1× if that was backwards.
 */
export function Shuttle({ drive, onClose }: ShuttleProps) {
  const { t } = useLingui()
  const [position, setPosition] = useState(middle)
  const slider = useRef<HTMLDivElement>(null)
  const held = useRef<{ readonly speedBefore: number } | null>(null)
  const speed = shuttleSpeeds[position] ?? 0
  const multiple = formatNumber(Math.abs(speed))
  const words = speed === 0 ? t`At rest` : speed < 0 ? t`Backwards ${multiple}×` : t`Forwards ${multiple}×`

  /** A key may play up to live, which removes the shuttle: then the nearest control gets its focus. */
  const mount = useCallback((element: HTMLDivElement | null) => {
    slider.current = element
    return moveFocusOnUnmount(element)
  }, [])
  useEffect(() => slider.current?.focus(), [])

  const play = (rate: number) => {
    if (rate === 0) return drive.send({ type: 'pause.requested' })
    const wasPlaying = drive.isPlaying()
    drive.send({ type: rate < 0 ? 'reverse.requested' : 'speed.chosen', rate })
    if (rate > 0 && !wasPlaying) drive.send({ type: 'play.requested' })
  }
  const move = (to: number) => {
    const next = Math.min(last, Math.max(0, to))
    if (next === position) return
    held.current ??= { speedBefore: Math.max(drive.rate(), 0) || 1 }
    setPosition(next)
    play(shuttleSpeeds[next] ?? 0)
  }
  const release = () => {
    if (held.current === null) return
    const { speedBefore } = held.current
    held.current = null
    setPosition(middle)
    drive.send({ type: 'pause.requested' })
    if (drive.rate() !== speedBefore) drive.send({ type: 'speed.chosen', rate: speedBefore })
  }
  const moveTo = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    move(Math.round(((clientX - left) / width) * last))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = keySteps[event.key]
    const target = step === undefined ? keyPositions[event.key] : position + step
    if (target === middle) release()
    else if (target !== undefined) move(target)
    else if (event.key !== 'Escape') return
    else if (position === middle) onClose()
    else release()
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={styles.shuttle}>
      <p className={styles.speed} aria-hidden="true">
        {words}
      </p>
      <div
        ref={mount}
        className={styles.track}
        role="slider"
        tabIndex={0}
        aria-label={t`Shuttle`}
        aria-valuemin={shuttleSpeeds[0]}
        aria-valuemax={shuttleSpeeds[last]}
        aria-valuenow={speed}
        aria-valuetext={words}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          moveTo(event)
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && moveTo(event)}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={onKeyDown}
        onBlur={release}
      >
        {shuttleSpeeds.map((rate) => (
          <span key={rate} className={styles.tick} data-middle={rate === 0 || undefined} />
        ))}
        <span className={styles.thumb} style={{ insetInlineStart: `${(position / last) * 100}%` }} />
      </div>
      <p className={styles.hint}>
        <Trans>Hold and drag. Release to pause.</Trans>
      </p>
    </div>
  )
}
