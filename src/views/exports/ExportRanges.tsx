import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { formatMoment } from '../../i18n/formats.ts'
import { type DraftRange, itemsOfRanges } from '../../machines/exports/export-ranges.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { removeRow } from '../ui/remove-row.ts'
import { useDuration } from '../ui/use-duration.ts'
import { ExportedRange } from './ExportFields.tsx'
import styles from './ExportRanges.module.css'

interface ExportRangesProps {
  ranges: readonly DraftRange[]
  zone: string
  isBusy: boolean
  /** The errors of all items of the ranges. */
  errors: readonly (string | undefined)[]
  /** The name of a camera, where an export may have several. */
  nameOf?: (uid: string) => string
  onRemove: (index: number) => void
}

/** What is exported: the selected range, or a list, from which each range can be removed. */
export function ExportedRanges({ isList, ...props }: ExportRangesProps & { isList: boolean }) {
  const { ranges, zone } = props
  if (!isList) return ranges.map(({ from, to }) => <ExportedRange key={from} from={from} to={to} zone={zone} />)
  return (
    <>
      <p>
        <Trans>
          These ranges, as a signed file. The server creates it in the background; download it on the Exports page.
        </Trans>
      </p>
      <ExportRanges {...props} />
    </>
  )
}

function ExportRanges({ ranges, zone, isBusy, errors, nameOf, onRemove }: ExportRangesProps) {
  const { t } = useLingui()
  const firstItemOf = (index: number) => itemsOfRanges(ranges.slice(0, index)).length
  return (
    <ul className={styles.list} aria-label={t`Ranges`}>
      {ranges.map((range, index) => {
        const first = firstItemOf(index)
        const error = errors.slice(first, first + range.items.length).find((one) => one !== undefined)
        const uids = [...new Set(range.items.map(({ uid }) => uid))]
        const [from, to] = [formatMoment(range.from, zone), formatMoment(range.to, zone)]
        return (
          <li key={`${range.from} ${range.askedTo}`} className={styles.range}>
            <div className={styles.what}>
              <span>
                {from} – {to}
              </span>
              <span className={styles.length}>
                {uids.length === 0 && nameOf === undefined ? <Trans>no recordings</Trans> : <Length range={range} />}
              </span>
              {nameOf !== undefined && <span>{uids.map(nameOf).join(', ')}</span>}
              {error !== undefined && (
                <span className={styles.problem} role="alert">
                  {error}
                </span>
              )}
            </div>
            {ranges.length > 1 && (
              <IconButton
                label={t`Remove ${from} – ${to}`}
                icon={<X size={16} />}
                disabled={isBusy}
                // After the last range comes the button that adds one.
                onPress={() => removeRow('ul button, [data-add-range]', '[data-add-range]', () => onRemove(index))}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Length({ range: { from, to } }: { range: DraftRange }) {
  return useDuration((to - from) / 1000)
}
