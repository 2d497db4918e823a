import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { i18n } from '../../i18n/i18n.ts'
import { localTimeOf } from '../timeline/local-time.ts'
import { useDelay } from './use-delay.ts'
import styles from './Badge.module.css'

interface BadgeProps {
  mode: 'live' | 'archive'
  zone: string
  isRunning: boolean
  clock: () => number | null
  /** Pictures follow each other so fast that the time of the last screen refresh is many frames old. */
  isFast: boolean
  /** What is to be known of the picture; null for nothing. */
  note: string | null
}

/** As often as the browser lets a timer come. */
const fastMs = 4

/**
 * Live or archive, and the moment of the frame on the screen: written to the page every frame, past React, since it
 * changes with each (docs/behaviour.md §7 asks for every 20 ms at most).
 */
export function Badge({ mode, zone, isRunning, clock, isFast, note }: BadgeProps) {
  const { t } = useLingui()
  const delay = useDelay(clock, mode === 'live')
  const time = useRef<HTMLTimeElement>(null)
  const { locale } = i18n

  useEffect(() => {
    const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone })
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
    const timer = isFast ? setInterval(write, fastMs) : undefined
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(timer)
    }
  }, [clock, zone, locale, isFast])

  return (
    <p
      className={styles.badge}
      data-mode={mode}
      data-running={isRunning || undefined}
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
