import type { TimeRange } from '../../api/contract/time-range.ts'
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { dateFormat } from '../../i18n/formats.ts'
import { type Points, linesOf } from '../../machines/administration/series-geometry.ts'
import {
  type StatsSpan,
  spanBetween,
  moveShare,
  moved,
  ticksOf,
  zoomStep,
  zoomed,
} from '../../machines/administration/stats-span.ts'
import { commandOf, chartKeys } from '../../machines/keyboard/bindings.ts'
import type { Tone } from './series-words.ts'
import { formatUnit } from './units.ts'
import styles from './Plot.module.css'

interface PlotLine {
  id: string
  label: string
  tone: Tone
  points: Points
}

export interface PlotProps {
  label: string
  lines: readonly PlotLine[]
  unit: string
  /** The value at the top of the chart; the bottom is 0. */
  top: number
  range: TimeRange
  /** The newest moment that can be shown. */
  latest: number
  /** The moment under the pointer; null outside the range. */
  cursor: number | null
  valueText: string
  helpId: string
  onCursor: (at: number | null) => void
  onSpan: (span: StatsSpan) => void
  /** Returns to live: Escape or a double click. */
  onBack: () => void
}

/** Units of the drawing, which is stretched to the box. */
const [width, height] = [1000, 100]
/** A shorter drag is a click. */
const minDragPx = 6
/** An arrow key moves the cursor by the shown range divided by this. */
const keySteps = 60

/** The wheel and a held key change the period at most this often, as each change is a request. */
const changePauseMs = 150

/** A chart that is a slider over time for the keyboard. The wheel zooms with Ctrl, or while the chart has the focus. */
export function Plot({
  label,
  lines,
  unit,
  top,
  range,
  latest,
  cursor,
  valueText,
  helpId,
  onCursor,
  onSpan,
  onBack,
}: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const changedAt = useRef(-Infinity)
  const isDue = ({ timeStamp }: { timeStamp: number }): boolean => {
    if (timeStamp - changedAt.current < changePauseMs) return false
    changedAt.current = timeStamp
    return true
  }
  const [drag, setDrag] = useState<{ from: number; to: number; x: number } | null>(null)
  const { from, to } = range
  const paths = useMemo(
    () => lines.map(({ id, tone, points }) => ({ id, tone, parts: linesOf(points, { from, to, top, width, height }) })),
    [lines, from, to, top],
  )
  const timeOf = (clientX: number) => {
    const { left, width: shown } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return from + Math.min(1, Math.max(0, (clientX - left) / shown)) * (to - from)
  }
  useWheel(box, (event) => {
    if (!event.ctrlKey && document.activeElement !== box.current) return
    event.preventDefault()
    if (event.deltaY === 0 || !isDue(event)) return
    onSpan(zoomed(range, event.deltaY > 0 ? zoomStep : 1 / zoomStep, timeOf(event.clientX), latest))
  })
  const startDrag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = timeOf(event.clientX)
    setDrag({ from: at, to: at, x: event.clientX })
  }
  const moveCursor = (event: PointerEvent) => {
    const at = timeOf(event.clientX)
    onCursor(at)
    if (drag !== null) setDrag({ ...drag, to: at })
  }
  const endDrag = (event: PointerEvent) => {
    if (drag !== null && Math.abs(event.clientX - drag.x) >= minDragPx) onSpan(spanBetween(drag.from, drag.to, latest))
    setDrag(null)
  }
  const pressKey = (event: KeyboardEvent) => {
    const at = cursor ?? to
    const step = (to - from) / keySteps
    const moveTo = (next: number) => onCursor(Math.min(to, Math.max(from, next)))
    const acts: Readonly<Record<keyof typeof chartKeys, () => void>> = {
      back: () => moveTo(at - step),
      forward: () => moveTo(at + step),
      start: () => moveTo(from),
      end: () => moveTo(to),
      earlier: () => onSpan(moved(range, -moveShare, latest)),
      later: () => onSpan(moved(range, moveShare, latest)),
      zoomIn: () => onSpan(zoomed(range, 1 / zoomStep, at, latest)),
      zoomOut: () => onSpan(zoomed(range, zoomStep, at, latest)),
      leave: () => (drag === null ? onBack() : setDrag(null)),
    }
    const act = commandOf(chartKeys, event.key)
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const isRequest = act === 'earlier' || act === 'later' || act === 'zoomIn' || act === 'zoomOut'
    if (!event.repeat || !isRequest || isDue(event)) acts[act]()
  }
  const percentAt = (at: number) => ((at - from) / (to - from)) * 100
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={helpId}
        aria-valuemin={Math.round(from / 1000)}
        aria-valuemax={Math.round(to / 1000)}
        aria-valuenow={Math.round((cursor ?? to) / 1000)}
        aria-valuetext={valueText}
        onPointerDown={startDrag}
        onPointerMove={moveCursor}
        onPointerUp={endDrag}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => onCursor(null)}
        onBlur={() => onCursor(null)}
        onDoubleClick={onBack}
        onKeyDown={pressKey}
      >
        <svg className={styles.lines} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, 0.5, 1].map((share) => (
            <line key={share} className={styles.grid} x1="0" x2={width} y1={height * share} y2={height * share} />
          ))}
          {paths.map(({ id, tone, parts }) => (
            <g key={id} className={styles.series} data-tone={tone}>
              {parts.map(({ d, area }) => (
                <g key={d}>
                  {paths.length === 1 && <path className={styles.area} d={area} />}
                  <path className={styles.line} d={d} />
                </g>
              ))}
            </g>
          ))}
        </svg>
        {cursor !== null && <i className={styles.cursor} style={{ left: `${percentAt(cursor)}%` }} />}
        {drag !== null && (
          <i
            className={styles.drag}
            style={{
              left: `${percentAt(Math.min(drag.from, drag.to))}%`,
              width: `${Math.abs(percentAt(drag.to) - percentAt(drag.from))}%`,
            }}
          />
        )}
        <span className={styles.value} data-position="top">
          {formatUnit(top, unit)}
        </span>
        <span className={styles.value} data-position="middle">
          {formatUnit(top / 2, unit)}
        </span>
      </div>
      <Ticks range={range} />
    </div>
  )
}

const maxTicks = 6
const dayLabel = { day: 'numeric', month: 'short' } as const
const timeLabel = { timeStyle: 'short' } as const
/** Share of the width: labels nearer to an end would be cut off. */
const margin = 0.05

/** The viewer's offset from UTC, which changes with the clocks. */
const offsetMsAt = (at: number) => -new Date(at).getTimezoneOffset() * 60_000

function Ticks({ range }: { range: TimeRange }) {
  const length = range.to - range.from
  const inner = { from: range.from + length * margin, to: range.to - length * margin }
  const ticks = ticksOf(inner, maxTicks, offsetMsAt)
  return (
    <div className={styles.ticks} aria-hidden="true">
      {ticks.map((at) => {
        const isMidnight = (at + offsetMsAt(at)) % 86_400_000 === 0
        return (
          <time key={at} style={{ left: `${((at - range.from) / length) * 100}%` }}>
            {dateFormat(isMidnight ? dayLabel : timeLabel).format(at)}
          </time>
        )
      })}
    </div>
  )
}

/** React's wheel listener is passive, so it can't prevent scrolling. */
function useWheel(box: React.RefObject<HTMLDivElement | null>, act: (event: WheelEvent) => void) {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const element = box.current
    const listen = (event: WheelEvent) => latest.current(event)
    element?.addEventListener('wheel', listen, { passive: false })
    return () => element?.removeEventListener('wheel', listen)
  }, [box])
}
