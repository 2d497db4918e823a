import { type PointerEvent, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { Series } from '../../api/contract/system.ts'
import { formatDateTime } from '../../i18n/formats.ts'
import { type Point, linesOf, nearest } from './series-geometry.ts'
import { formatUnit } from './units.ts'
import styles from './SeriesChart.module.css'

interface SeriesChartProps {
  series: Series['series'][number]
  from: number
  to: number
}

const width = 600
const height = 140

/** One series over a stretch of time, with the value under the pointer, and in words for a screen reader. */
export function SeriesChart({ series: { name, unit, points }, from, to }: SeriesChartProps) {
  const { t } = useLingui()
  const [hovered, setHovered] = useState<Point | null>(null)
  const { lines, top, last, highest } = linesOf(points, { from, to, width, height })
  const shown = hovered ?? last
  const words =
    last === null || highest === null
      ? t`${name}: nothing measured`
      : t`${name}: now ${formatUnit(last.value, unit)}, at most ${formatUnit(highest.value, unit)}`
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setHovered(nearest(points, from + ((event.clientX - box.left) / box.width) * (to - from)))
  }
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <strong>{shown === null ? '–' : formatUnit(shown.value, unit)}</strong>
        {shown !== null && <time dateTime={new Date(shown.time).toISOString()}>{formatDateTime(shown.time, { dateStyle: 'short', timeStyle: 'short' })}</time>}
      </figcaption>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        onPointerMove={point}
        onPointerLeave={() => setHovered(null)}
      >
        <line className={styles.axis} x1="0" x2={width} y1={height} y2={height} />
        <line className={styles.grid} x1="0" x2={width} y1={height / 2} y2={height / 2} />
        {lines.map((line) => (
          <g key={line.d}>
            <path className={styles.area} d={line.area} />
            <path className={styles.line} d={line.d} />
          </g>
        ))}
        {hovered !== null && <line className={styles.cursor} x1={((hovered.time - from) / (to - from)) * width} x2={((hovered.time - from) / (to - from)) * width} y1="0" y2={height} />}
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{formatDateTime(from, { dateStyle: 'short', timeStyle: 'short' })}</span>
        <span>{t`top ${formatUnit(top, unit)}`}</span>
        <span>{formatDateTime(to, { dateStyle: 'short', timeStyle: 'short' })}</span>
      </div>
    </figure>
  )
}
