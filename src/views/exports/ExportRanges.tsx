import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { formatMoment } from '../../i18n/formats.ts'
import { type DraftRange, itemsOfRanges } from '../../machines/exports/export-ranges.ts'
import { IconButton } from '../ui/IconButton.tsx'
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
  list: RefObject<HTMLUListElement | null>
  onRemove: (index: number) => void
}

interface ExportedRangesProps extends Omit<ExportRangesProps, 'list'> {
  isList: boolean
  /** The element with the button that adds a range. */
  addRange: RefObject<HTMLElement | null>
}

/** What is exported: the selected range, or a list, from which each range can be removed. */
export function ExportedRanges({ isList, addRange, ...props }: ExportedRangesProps) {
  const { ranges, zone, onRemove } = props
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<number | null>(null)
  /** The next range's button takes the focus of the one that is gone; after the last range, that which adds one. */
  useEffect(() => {
    if (removed.current === null) return
    const next = list.current?.querySelectorAll('button')[removed.current]
    removed.current = null
    const button = next ?? addRange.current?.querySelector('button')
    button?.focus({ preventScroll: true })
  })
  if (!isList) return ranges.map(({ from, to }) => <ExportedRange key={from} from={from} to={to} zone={zone} />)
  return (
    <>
      <p>
        <Trans>
          These ranges, as a signed file. The server creates it in the background; download it on the Exports page.
        </Trans>
      </p>
      <ExportRanges
        {...props}
        list={list}
        onRemove={(index) => {
          removed.current = index
          onRemove(index)
        }}
      />
    </>
  )
}

function ExportRanges({ ranges, zone, isBusy, errors, nameOf, list, onRemove }: ExportRangesProps) {
  const { t } = useLingui()
  const firstItemOf = (index: number) => itemsOfRanges(ranges.slice(0, index)).length
  return (
    <ul ref={list} className={styles.list} aria-label={t`Ranges`}>
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
                onPress={() => onRemove(index)}
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
