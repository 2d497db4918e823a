import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { dateFormat } from '../../i18n/formats.ts'
import { i18n } from '../../i18n/i18n.ts'
import type { MediaState } from '../../machines/player/player.selectors.ts'
import { localTimeOf } from '../timeline/local-time.ts'
import { useDelay } from './use-delay.ts'
import styles from './Badge.module.css'

interface BadgeProps {
  mode: 'live' | 'archive'
  zone: string
  mediaState: MediaState
  clock: () => number | null
  serverNow: () => number
  /** At high speed, many frames pass between two screen refreshes: the time is written more often. */
  isFast: boolean
  /** A text about the picture, such as that it is transcoded; null for none. */
  note: string | null
}

/** The shortest interval that browsers allow. */
const fastWriteMs = 4

/**
 * Live or archive, and the moment of the frame on the screen. Written to the document in every animation frame, without
 * React (docs/behaviour.md §7 requires an update at least every 20 ms).
 */
export function Badge({ mode, zone, mediaState, clock, serverNow, isFast, note }: BadgeProps) {
  const { t } = useLingui()
  const delay = useDelay(clock, serverNow, mode === 'live')
  const time = useRef<HTMLTimeElement>(null)
  const { locale } = i18n

  useEffect(() => {
    const dates = dateFormat({ dateStyle: 'medium', timeZone: zone }, locale)
    const { hourMinuteSecond } = localTimeOf(zone)
    const shown = { at: Number.NaN, second: Number.NaN }
    let frame = 0
    const write = () => {
      const element = time.current
      const at = clock() ?? Number.NaN
      if (element === null || Object.is(at, shown.at)) return
      shown.at = at
      if (Number.isNaN(at)) element.removeAttribute('datetime')
      else element.dateTime = new Date(at).toISOString()
      const second = Math.floor(at / 1000)
      if (Object.is(second, shown.second)) return
      shown.second = second
      element.textContent = Number.isNaN(at) ? '' : `${dates.format(at)}, ${hourMinuteSecond(at)}`
    }
    const draw = () => {
      frame = requestAnimationFrame(draw)
      write()
    }
    draw()
    const timer = isFast ? setInterval(write, fastWriteMs) : undefined
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(timer)
    }
  }, [clock, zone, locale, isFast])

  return (
    <p
      className={styles.badge}
      data-mode={mode}
      data-running={mediaState === 'playing' || undefined}
      data-paused={mediaState === 'resting' || undefined}
      data-late={delay !== null || undefined}
      data-noted={note !== null || undefined}
    >
      <span className={styles.mode}>
        <span className={styles.mark} aria-hidden="true" />
        {mode === 'archive' ? <Trans>Archive</Trans> : delay === null ? <Trans>Live</Trans> : t`Live, ${delay}`}
      </span>
      <time ref={time} className={styles.time} />
      {note !== null && <span className={styles.note}>{note}</span>}
    </p>
  )
}
