import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { dateFormat } from '../../i18n/formats.ts'
import { momentByKey, type DateLabel } from '../../machines/timeline/overview.ts'
import type { BandWords } from './band-loop.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { runOverview } from './overview-loop.ts'
import { SliderBand } from './SliderBand.tsx'
import styles from './Timeline.module.css'

interface OverviewBandProps {
  actor: TimelineRef
  clock: () => number | null
  words: BandWords
}

export function OverviewBand({ actor, clock, words }: OverviewBandProps) {
  const { t, i18n } = useLingui()
  const { locale } = i18n
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  const newestClock = useRef(clock)

  useEffect(() => {
    newestClock.current = clock
  }, [clock])

  useEffect(() => {
    if (slider.current === null || canvas.current === null || frame.current === null || playhead.current === null)
      return undefined
    return runOverview(
      { slider: slider.current, canvas: canvas.current, frame: frame.current, playhead: playhead.current },
      {
        context: () => actor.getSnapshot().context,
        clock: () => newestClock.current(),
        words,
        labelText: labelTexts(words.time.zone, locale),
        onCentred: (at) => actor.send({ type: 'timeline.centred', at }),
      },
    )
  }, [actor, words, locale])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { context } = actor.getSnapshot()
    const target = momentByKey(event.key, context)
    if (target === undefined) return
    event.preventDefault()
    event.stopPropagation()
    actor.send({ type: 'timeline.centred', at: target })
  }

  return (
    <SliderBand ref={slider} className={styles.overview} label={t`Archive overview`} onKeyDown={onKeyDown}>
      <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
      <div ref={frame} className={styles.shown} aria-hidden="true" />
      <div ref={playhead} className={styles.overviewPlayhead} aria-hidden="true" hidden />
    </SliderBand>
  )
}

function labelTexts(zone: string, locale: string): (label: DateLabel) => string {
  const days = dateFormat({ timeZone: zone, day: 'numeric', month: 'short' }, locale)
  const months = dateFormat({ timeZone: zone, month: 'short', year: 'numeric' }, locale)
  return ({ at, isMonth }) => (isMonth ? months : days).format(at)
}
