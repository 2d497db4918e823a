import { useMemo, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { type BulkRef, selectOutcomes, selectSubjects } from '../../machines/streams/streams.selectors.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Segments } from '../ui/Segments.tsx'
import { useVisibleRows } from '../ui/use-visible-rows.ts'
import { Outcome, type StreamOutcome } from './Outcome.tsx'
import { displayName } from './stream-words.tsx'
import styles from './BulkResults.module.css'

const rowHeight = 36

type Part = 'all' | 'refused' | 'left'

/** The result of the last job for each of its streams, also for those that it deleted. */
export function BulkResults({ bulk, onClose }: { bulk: BulkRef; onClose: () => void }) {
  const { t } = useLingui()
  const subjects = useSelector(bulk, selectSubjects)
  const outcomes = useSelector(bulk, selectOutcomes)
  const [part, setPart] = useState<Part>('all')
  const rows = useMemo(
    () =>
      [...subjects.values()].map((stream) => ({ stream, outcome: outcomes.get(stream.uid) ?? ('waiting' as const) })),
    [subjects, outcomes],
  )
  const of = (kind: Part) =>
    rows.filter(({ outcome }) => kind === 'all' || (outcome !== 'waiting' && outcome.kind === kind))
  const shown = of(part)
  const [all, refused, left] = [
    formatNumber(rows.length),
    formatNumber(of('refused').length),
    formatNumber(of('left').length),
  ]
  const parts = [
    { id: 'all', label: t`All ${all}` },
    { id: 'refused', label: t`Failed ${refused}` },
    { id: 'left', label: t`Not done ${left}` },
  ] as const
  return (
    <Dialog title={t`Result for each stream`} size="large" onClose={onClose}>
      <Segments label={t`Results`} options={parts} chosen={part} onChoose={setPart} />
      {shown.length === 0 ? (
        <p className={styles.none}>
          <Trans>No such streams.</Trans>
        </p>
      ) : (
        <Rows key={part} rows={shown} />
      )}
    </Dialog>
  )
}

interface RowsProps {
  rows: readonly { stream: Stream; outcome: Exclude<StreamOutcome, undefined> }[]
}

/** Renders only the visible rows. */
function Rows({ rows }: RowsProps) {
  const { t } = useLingui()
  const { scroller, first, last } = useVisibleRows({ count: rows.length, rowHeight })
  return (
    <div ref={scroller} className={styles.scroller} role="region" aria-label={t`Results`} tabIndex={0}>
      <ul style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map(({ stream, outcome }, index) => (
          <li
            key={stream.uid}
            className={styles.row}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
            aria-posinset={first + index + 1}
            aria-setsize={rows.length}
          >
            <span className={styles.name} title={displayName(stream)}>
              {displayName(stream)}
            </span>
            <Outcome outcome={outcome} />
          </li>
        ))}
      </ul>
    </div>
  )
}
