import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { dateLabels, overviewPeriod, type DateLabel } from '../../machines/timeline/overview.ts'
import { lengthOf, xToTime, type Period } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import type { BandWords } from './band-loop.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import { spansOf } from './paint-band.ts'
import { overviewHeight, paintOverview, paintPlace } from './paint-overview.ts'
import { readPalette, watchAppearance, type Palette } from './palette.ts'
import { watchSurface } from './surface.ts'
import type { TimelineRef } from './Timeline.tsx'
import styles from './Timeline.module.css'

interface OverviewBandProps {
  actor: TimelineRef
  clock: () => number | null
  words: BandWords
}

const day = 24 * 3600_000

const overviewOf = ({ coverage, period, live }: TimelineContext): Period =>
  overviewPeriod(coverage?.recorded ?? null, period, live.now)

/** The whole archive, days to months, with the shown period as a frame: a press or a drag takes the period there. */
export function OverviewBand({ actor, clock, words }: OverviewBandProps) {
  const { t, i18n } = useLingui()
  const { locale } = i18n
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const newestClock = useRef(clock)

  useEffect(() => {
    newestClock.current = clock
  }, [clock])

  useEffect(() => {
    if (slider.current === null || canvas.current === null) return undefined
    return runOverview(slider.current, canvas.current, {
      context: () => actor.getSnapshot().context,
      clock: () => newestClock.current(),
      words,
      labelText: labelTexts(words.time.zone, locale),
      onCentred: (at) => actor.send({ type: 'timeline.centred', at }),
    })
  }, [actor, words, locale])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { context } = actor.getSnapshot()
    const whole = overviewOf(context)
    const middle = (context.period.from + context.period.to) / 2
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: middle - day,
      ArrowDown: middle - day,
      ArrowRight: middle + day,
      ArrowUp: middle + day,
      PageDown: middle - 7 * day,
      PageUp: middle + 7 * day,
      Home: whole.from,
      End: context.live.now,
    }
    const target = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined
    if (target === undefined) return
    event.preventDefault()
    event.stopPropagation()
    actor.send({ type: 'timeline.centred', at: Math.min(context.live.now, Math.max(whole.from, target)) })
  }

  return (
    <div
      ref={slider}
      className={styles.overview}
      role="slider"
      tabIndex={0}
      aria-label={t`Archive overview`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={0}
      aria-valuenow={0}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
    </div>
  )
}

function labelTexts(zone: string, locale: string): (label: DateLabel) => string {
  const days = new Intl.DateTimeFormat(locale, { timeZone: zone, day: 'numeric', month: 'short' })
  const months = new Intl.DateTimeFormat(locale, { timeZone: zone, month: 'short', year: 'numeric' })
  return ({ at, isMonth }) => (isMonth ? months : days).format(at)
}

interface OverviewSources {
  context: () => TimelineContext
  clock: () => number | null
  words: BandWords
  labelText: (label: DateLabel) => string
  onCentred: (at: number) => void
}

function runOverview(slider: HTMLElement, canvas: HTMLCanvasElement, { context, clock, words, labelText, onCentred }: OverviewSources): () => void {
  let palette = readPalette(slider)
  let painted: { context: TimelineContext; playing: number } | null = null
  let kept: { key: string; recorded: readonly Interval[]; covered: TimelineContext['covered']; palette: Palette; picture: OffscreenCanvas } | null = null
  let frame = 0
  let grip: number | null = null
  const { surface, stop } = watchSurface(canvas, overviewHeight, () => {
    painted = null
  })
  const stopWatching = watchAppearance(() => {
    palette = readPalette(slider)
    painted = null
  })

  function tell(whole: Period, { period }: TimelineContext): void {
    const middle = (period.from + period.to) / 2
    slider.setAttribute('aria-valuemin', String(Math.round(whole.from / 1000)))
    slider.setAttribute('aria-valuemax', String(Math.round(whole.to / 1000)))
    slider.setAttribute('aria-valuenow', String(Math.round(middle / 1000)))
    slider.setAttribute('aria-valuetext', words.dateText(middle))
  }

  /** The part that stays as the period moves, in device pixels. */
  function pictureOf({ recorded, covered, live }: TimelineContext, whole: Period, width: number): OffscreenCanvas {
    const picture = new OffscreenCanvas(canvas.width, canvas.height)
    const pen = picture.getContext('2d')
    pen?.scale(canvas.width / width, canvas.height / overviewHeight)
    const spans = spansOf({ intervals: recorded, period: whole, width, now: live.now })
    const labels = dateLabels(whole, width, words.time.zone)
    if (pen !== null) paintOverview(pen, { period: whole, width, now: live.now, spans, covered, labels, palette, labelText })
    return picture
  }

  function draw(): void {
    frame = requestAnimationFrame(draw)
    const found = surface()
    if (found === null) return
    const state = context()
    const playing = clock()
    const whole = overviewOf(state)
    const pixel = lengthOf(whole) / found.width
    const place = playing === null ? -1 : Math.floor(playing / pixel)
    if (painted !== null && painted.context === state && painted.playing === place) return
    const key = `${Math.floor(whole.from / pixel)} ${Math.floor(whole.to / pixel)} ${Math.floor(state.live.now / pixel)} ${canvas.width}`
    if (kept === null || kept.key !== key || kept.recorded !== state.recorded || kept.covered !== state.covered || kept.palette !== palette) {
      kept = { key, recorded: state.recorded, covered: state.covered, palette, picture: pictureOf(state, whole, found.width) }
    }
    found.ctx.clearRect(0, 0, found.width, overviewHeight)
    found.ctx.drawImage(kept.picture, 0, 0, found.width, overviewHeight)
    paintPlace(found.ctx, { period: whole, width: found.width, shown: state.period, playing, palette })
    tell(whole, state)
    painted = { context: state, playing: place }
  }

  const pointerAt = (event: PointerEvent) => {
    const box = slider.getBoundingClientRect()
    return xToTime(overviewOf(context()), box.width, event.clientX - box.left)
  }

  /** A press within the frame takes hold of it; outside, the frame comes to the pointer. */
  function onDown(event: PointerEvent): void {
    if (event.button !== 0) return
    slider.setPointerCapture(event.pointerId)
    const { period } = context()
    const at = pointerAt(event)
    grip = at >= period.from && at <= period.to ? at - (period.from + period.to) / 2 : 0
    if (grip === 0) onCentred(at)
  }

  function onMove(event: PointerEvent): void {
    if (grip !== null) onCentred(Math.min(context().live.now, pointerAt(event) - grip))
  }

  const onUp = () => {
    grip = null
  }

  slider.addEventListener('pointerdown', onDown)
  slider.addEventListener('pointermove', onMove)
  slider.addEventListener('pointerup', onUp)
  slider.addEventListener('pointercancel', onUp)
  draw()
  return () => {
    cancelAnimationFrame(frame)
    stop()
    stopWatching()
    slider.removeEventListener('pointerdown', onDown)
    slider.removeEventListener('pointermove', onMove)
    slider.removeEventListener('pointerup', onUp)
    slider.removeEventListener('pointercancel', onUp)
  }
}
