import { useLingui } from '@lingui/react/macro'
import { formatMoment } from '../../i18n/formats.ts'
import { nearest, roundTop, summaryOf } from '../../machines/administration/series-geometry.ts'
import { Plot, type PlotProps } from './Plot.tsx'
import { formatUnit } from './units.ts'
import styles from './Chart.module.css'

export interface ChartProps extends Omit<PlotProps, 'label' | 'top' | 'valueText' | 'cursor'> {
  title: string
  /** The moment under the pointer, shared by all charts; a change of the range may leave it outside. */
  sharedCursor: number | null
  /** The value at the top of the chart, such as the size of the disk; null to fit the highest value. */
  whole: number | null
}

export function Chart({ title, unit, lines, whole, range, latest, sharedCursor, helpId, ...handlers }: ChartProps) {
  const { t } = useLingui()
  const isInside = sharedCursor !== null && sharedCursor >= range.from && sharedCursor <= range.to
  const cursor = isInside ? sharedCursor : null
  /** A point farther from the cursor isn't shown as the value there. */
  const maxDistanceMs = Math.max(60_000, (range.to - range.from) / 100)
  const rows = lines.map((line) => {
    const summary = summaryOf(line.points, range)
    const point = cursor === null ? summary?.last : nearest(line.points, cursor, maxDistanceMs)
    return { ...line, summary, value: point?.value }
  })
  const highest = Math.max(0, ...rows.map(({ summary }) => summary?.highest ?? 0))
  const textOf = (value: number | undefined) => (value === undefined ? '–' : formatUnit(value, unit))
  const moment = formatMoment(cursor ?? range.to)
  const valueText = `${moment}: ${rows.map(({ label, value }) => `${label} ${textOf(value)}`).join(', ')}`
  return (
    <section className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {cursor !== null && <time dateTime={new Date(cursor).toISOString()}>{moment}</time>}
      </div>
      <Plot
        label={title}
        lines={lines}
        unit={unit}
        top={whole !== null && highest <= whole ? whole : roundTop(highest)}
        range={range}
        latest={latest}
        cursor={cursor}
        valueText={valueText}
        helpId={helpId}
        {...handlers}
      />
      <table className={styles.legend} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t`Series`}</span>
            </th>
            <th scope="col">{cursor === null ? t`Last` : t`At cursor`}</th>
            <th scope="col">{t`Min.`}</th>
            <th scope="col">{t`Average`}</th>
            <th scope="col">{t`Max.`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, label, tone, summary, value }) => (
            <tr key={id}>
              <th scope="row">
                <svg className={styles.swatch} data-tone={tone} viewBox="0 0 16 4" aria-hidden="true">
                  <line x1="0" x2="16" y1="2" y2="2" />
                </svg>
                {label}
              </th>
              <td className={styles.now}>{textOf(value)}</td>
              <td>{textOf(summary?.lowest)}</td>
              <td>{textOf(summary?.mean)}</td>
              <td>{textOf(summary?.highest)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
