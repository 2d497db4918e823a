import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { formatMoment } from '../../i18n/formats.ts'
import type { DraftRange } from '../../machines/exports/export-draft.machine.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useDuration } from '../ui/use-duration.ts'
import styles from './ExportRanges.module.css'

interface ExportRangesProps {
  ranges: readonly DraftRange[]
  zone: string
  isBusy: boolean
  /** The errors of all parts of the ranges. */
  errors: readonly (string | undefined)[]
  onRemove: (index: number) => void
}

/** The ranges of an export that has several. */
export function ExportRanges({ ranges, zone, isBusy, errors, onRemove }: ExportRangesProps) {
  const { t } = useLingui()
  const firstPartOf = (index: number) => ranges.slice(0, index).reduce((count, { parts }) => count + parts.length, 0)
  return (
    <ul className={styles.list} aria-label={t`Ranges`}>
      {ranges.map((range, index) => {
        const first = firstPartOf(index)
        const error = errors.slice(first, first + range.parts.length).find((one) => one !== undefined)
        const [from, to] = [formatMoment(range.from, zone), formatMoment(range.to, zone)]
        return (
          <li key={`${range.from} ${range.to}`} className={styles.range}>
            <div className={styles.what}>
              <span>
                {from} – {to}
              </span>
              <span className={styles.length}>
                {range.parts.length === 0 ? <Trans>no recordings</Trans> : <Length range={range} />}
              </span>
              {error !== undefined && (
                <span className={styles.problem} role="alert">
                  {error}
                </span>
              )}
            </div>
            <IconButton
              label={t`Remove ${from} – ${to}`}
              icon={<X size={16} />}
              disabled={isBusy}
              onPress={() => onRemove(index)}
            />
          </li>
        )
      })}
    </ul>
  )
}

function Length({ range: { from, to } }: { range: DraftRange }) {
  return useDuration((to - from) / 1000)
}
