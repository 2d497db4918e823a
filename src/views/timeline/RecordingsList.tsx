import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useMemo } from 'react'
import { clip } from '../../machines/timeline/intervals.ts'
import { selectIntervals, selectNow, selectPeriod, selectZone } from '../../machines/timeline/timeline.selectors.ts'
import { localTimeOf } from './local-time.ts'
import type { TimelineRef } from './Timeline.tsx'
import styles from './Timeline.module.css'

const mostShown = 200

/** The shown period in words: what the band draws, as a list from which a moment can be picked (playback.md). */
export function RecordingsList({ actor, id }: { actor: TimelineRef; id: string }) {
  const { t } = useLingui()
  const period = useSelector(actor, selectPeriod)
  const intervals = useSelector(actor, selectIntervals)
  const zone = useSelector(actor, selectZone)
  const now = useSelector(actor, selectNow)
  const time = useMemo(() => localTimeOf(zone), [zone])
  const shown = clip(intervals, period.from, Math.min(period.to, now))
  const names = { fragment: t`recorded`, gap: t`not recorded`, live: t`live` }
  const recordings = shown.filter(({ type }) => type === 'fragment').length
  return (
    <section id={id} className={styles.list} aria-label={t`Recordings`}>
      <p className={styles.kind}>
        <Plural value={recordings} one="# recording in the shown period" other="# recordings in the shown period" />
      </p>
      <ul className={styles.items}>
        {shown.slice(0, mostShown).map(({ type, from, to }) => {
          const text = (
            <>
              <span>
                {time.hourMinuteSecond(from)} – {time.hourMinuteSecond(to)}
              </span>
              <span className={styles.kind}>{names[type]}</span>
              <span className={styles.kind}>{lengthText(to - from)}</span>
            </>
          )
          return (
            <li key={from}>
              {type === 'gap' ? (
                <span className={styles.item}>{text}</span>
              ) : (
                <button type="button" className={styles.item} onClick={() => actor.send({ type: 'timeline.pickRequested', at: from })}>
                  {text}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {shown.length > mostShown && (
        <p className={styles.kind}>
          <Plural value={shown.length - mostShown} one="and # more: zoom in to see it" other="and # more: zoom in to see them" />
        </p>
      )}
    </section>
  )
}

const two = (value: number) => String(value).padStart(2, '0')

/** `1:02:03` or `2:03`. */
function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest}`
}
