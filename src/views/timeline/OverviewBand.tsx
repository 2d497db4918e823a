import type { TimeRange } from '../../api/contract/time-range.ts'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { dateLabels, overviewPeriod, type DateLabel } from '../../machines/timeline/overview.ts'
import { lengthOf, timeToX, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import type { BandWords } from './band-loop.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import type { TimelineRef } from '../../machines/timeline/timeline.selectors.ts'
import { spansOf } from './spans.ts'
import { overviewHeight, paintOverview } from './paint-overview.ts'
import { readPalette, watchAppearance } from './palette.ts'
import { watchSurface, type Surface } from './surface.ts'
import styles from './Timeline.module.css'

interface OverviewBandProps {
  actor: TimelineRef
  clock: () => number | null
  words: BandWords
}

const day = 24 * 3600_000

const overviewOf = ({ coverage, period, live }: TimelineContext): TimeRange =>
  overviewPeriod(coverage?.recorded ?? null, period, live.now)

/** The whole archive, days to months, with the shown period as a frame: a press or a drag takes the period there. */
export function OverviewBand({ actor, clock, words }: OverviewBandProps) {
  const { t, i18n } = useLingui()
  const { locale } = i18n
  const slider = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const shown = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const newestClock = useRef(clock)

  useEffect(() => {
    newestClock.current = clock
  }, [clock])

  useEffect(() => {
    if (slider.current === null || canvas.current === null || shown.current === null || place.current === null)
      return undefined
    return runOverview(
      { slider: slider.current, canvas: canvas.current, shown: shown.current, place: place.current },
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
      <div ref={shown} className={styles.shown} aria-hidden="true" />
      <div ref={place} className={styles.place} aria-hidden="true" hidden />
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

interface OverviewElements {
  slider: HTMLElement
  canvas: HTMLCanvasElement
  /** The frame about the shown period. */
  shown: HTMLElement
  /** Where playing is. */
  place: HTMLElement
}

/** The canvas is drawn when what it shows changes; the frame and the place move over it. */
function runOverview(
  { slider, canvas, shown, place }: OverviewElements,
  { context, clock, words, labelText, onCentred }: OverviewSources,
): () => void {
  let palette = readPalette(slider)
  let painted: { key: string; recorded: readonly Interval[]; covered: TimelineContext['covered'] } | null = null
  let told: { context: TimelineContext; whole: TimeRange } | null = null
  const written = { left: '', width: '', place: '' }
  let frame = 0
  let grip: number | null = null
  const { surface, stop } = watchSurface(canvas, overviewHeight, () => {
    painted = null
  })
  const stopWatching = watchAppearance(() => {
    palette = readPalette(slider)
    painted = null
  })

  function tell(whole: TimeRange, { period }: TimelineContext): void {
    const middle = (period.from + period.to) / 2
    slider.setAttribute('aria-valuemin', String(Math.round(whole.from / 1000)))
    slider.setAttribute('aria-valuemax', String(Math.round(whole.to / 1000)))
    slider.setAttribute('aria-valuenow', String(Math.round(middle / 1000)))
    slider.setAttribute('aria-valuetext', words.dateText(middle))
  }

  function paint({ ctx, width }: Surface, { recorded, covered, live }: TimelineContext, whole: TimeRange): void {
    const pixel = lengthOf(whole) / width
    const key = `${Math.floor(whole.from / pixel)} ${Math.floor(whole.to / pixel)} ${Math.floor(live.now / pixel)}`
    if (painted !== null && painted.key === key && painted.recorded === recorded && painted.covered === covered) return
    const spans = spansOf({ intervals: recorded, period: whole, width, now: live.now })
    const labels = dateLabels(whole, width, words.time.zone)
    paintOverview(ctx, { period: whole, width, now: live.now, spans, covered, labels, palette, labelText })
    painted = { key, recorded, covered }
  }

  function move({ period }: TimelineContext, whole: TimeRange, width: number): void {
    const from = Math.max(1, timeToX(whole, width, period.from))
    const wide = Math.max(6, Math.min(width - 1, timeToX(whole, width, period.to)) - from)
    const [left, size] = [`translateX(${Math.min(from, width - wide - 1).toFixed(1)}px)`, `${wide.toFixed(1)}px`]
    if (left !== written.left) shown.style.transform = left
    if (size !== written.width) shown.style.width = size
    const playing = clock()
    const at = playing === null ? '' : `translateX(${Math.round(timeToX(whole, width, playing)) - 1}px)`
    if (at !== written.place) {
      place.hidden = at === ''
      place.style.transform = at
    }
    Object.assign(written, { left, width: size, place: at })
  }

  function draw(): void {
    frame = requestAnimationFrame(draw)
    const found = surface()
    if (found === null) return
    const state = context()
    const whole = told?.context === state ? told.whole : overviewOf(state)
    if (told?.context !== state) {
      paint(found, state, whole)
      tell(whole, state)
      told = { context: state, whole }
    } else if (painted === null) paint(found, state, whole)
    move(state, whole, found.width)
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
