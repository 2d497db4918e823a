import { Plural, useLingui } from '@lingui/react/macro'
import { memo, useEffect, useRef } from 'react'
import { MonitorPlay } from 'lucide-react'
import { Link } from 'wouter'
import type { Stream } from '../../api/contract/stream.ts'
import { formatGigabytes } from '../../i18n/bytes.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { shownStatus } from '../../machines/stream/stream.selectors.ts'
import { ChooseBox } from './ChooseBox.tsx'
import type { Choice } from './use-choice.ts'
import { Outcome } from './Outcome.tsx'
import { GroupHead } from './GroupHead.tsx'
import { type EntryProps, entryProps, type ListProps } from './list-props.ts'
import { StatusMark } from './StatusMark.tsx'
import { StreamActions } from './StreamActions.tsx'
import actionStyles from './StreamActions.module.css'
import { StreamLink } from './StreamCard.tsx'
import { Tags } from './Tags.tsx'
import { StreamPlaceholder } from './StreamPlaceholder.tsx'
import styles from './StreamTable.module.css'

const wideTablePx = 1000

/** The list as a table with a sticky head. An empty row takes the height of rows that aren't rendered. */
export function StreamTable(list: ListProps) {
  const { layout, rows, drawing, choice, width } = list
  const { t } = useLingui()
  const isWide = width >= wideTablePx
  const columnCount = isWide ? 9 : 6
  const rendered = rows.filter(({ kind, first }) => kind === 'head' || drawing.isRendered(first))
  const end = rendered.reduce((_, { top, height }) => top + height, 0)
  return (
    <table className={styles.table} aria-rowcount={layout.entryCount + 1}>
      <thead>
        <tr>
          <th scope="col" className={styles.chooseColumn}>
            <ChooseAllBox choice={choice} />
          </th>
          <th scope="col" className={styles.nameColumn}>{t`Name`}</th>
          <th scope="col" className={styles.statusColumn}>{t`Status`}</th>
          <th scope="col" className={styles.tagsColumn}>{t`Tags`}</th>
          {isWide && <th scope="col" className={styles.locationColumn}>{t`Location`}</th>}
          <th scope="col" className={styles.archiveColumn}>{t`Archive`}</th>
          {isWide && <th scope="col" className={styles.figureColumn}>{t`Viewers`}</th>}
          {isWide && <th scope="col" className={styles.figureColumn}>{t`Mbit/s`}</th>}
          <th scope="col" className={styles.actionsColumn}>
            <span className="visually-hidden">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody data-waiting={rendered.length < rows.length ? '' : undefined}>
        {rendered.flatMap((row, index) => {
          const before = rendered[index - 1]
          const gap = row.top - (before === undefined ? 0 : before.top + before.height)
          const filler = gap > 0 ? [<Filler key={`gap ${row.first}`} height={gap} />] : []
          if (row.kind === 'head') {
            return [
              ...filler,
              <tr key={`head ${row.section.kind} ${row.section.tag}`} className={styles.group}>
                <th colSpan={columnCount} scope="rowgroup">
                  <GroupHead section={row.section} isWhole={layout.isWhole} />
                </th>
              </tr>,
            ]
          }
          const stream = layout.entryAt(row.first)?.stream
          if (stream === undefined)
            return [...filler, <WaitingRow key={`entry ${row.first}`} entry={row.first} columnCount={columnCount} />]
          return [
            ...filler,
            <StreamRow
              key={`${row.section.kind} ${row.section.tag} ${stream.uid}`}
              {...entryProps(list, stream, row.first)}
              isWide={isWide}
            />,
          ]
        })}
        {layout.height > end && <Filler height={layout.height - end} />}
      </tbody>
    </table>
  )
}

function ChooseAllBox({ choice: { all, count, isLocked, onClear } }: { choice: Choice }) {
  const { t } = useLingui()
  const box = useRef<HTMLInputElement>(null)
  const isPart = count > 0 && !all.areAllChosen
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isPart
  }, [isPart])
  if (!all.isPossible) return <span className="visually-hidden">{t`Selected`}</span>
  return (
    <input
      ref={box}
      type="checkbox"
      className={styles.chooseAll}
      aria-label={t`Select all`}
      title={t`Select all`}
      checked={all.areAllChosen}
      disabled={isLocked}
      onChange={all.areAllChosen ? onClear : all.chooseAll}
    />
  )
}

function Filler({ height }: { height: number }) {
  return <tr aria-hidden="true" style={{ height }} />
}

function WaitingRow({ entry, columnCount }: { entry: number; columnCount: number }) {
  return (
    <tr className={styles.row} data-holds-entry={entry}>
      <td colSpan={columnCount}>
        <StreamPlaceholder entry={entry} height="14px" width="62%" />
      </td>
    </tr>
  )
}

const StreamRow = memo(function StreamRow(props: EntryProps & { isWide: boolean }) {
  const { t } = useLingui()
  const { stream, entry, isCurrent, hasActions, isWide, isChanging, isChosen, outcome } = props
  const { uid, tags, location, viewers, bitrate } = stream
  return (
    <tr className={styles.row} data-holds-entry={entry} data-chosen={isChosen || undefined} aria-rowindex={entry + 2}>
      <td className={styles.choose}>{hasActions && <ChooseBox {...props} />}</td>
      <th scope="row">
        <span className={styles.name}>
          <StreamLink stream={stream} entry={entry} isCurrent={isCurrent} />
          {outcome !== undefined && <Outcome outcome={outcome} />}
        </span>
      </th>
      <td>
        <StatusMark status={shownStatus(stream)} id={`status-${entry}`} />
      </td>
      <td>
        <Tags tags={tags} />
      </td>
      {isWide && (
        <td className={styles.location} title={location.name}>
          {location.name}
        </td>
      )}
      <td>
        <Archive {...stream.archive} />
      </td>
      {isWide && <td className={styles.figure}>{viewers === undefined ? '' : formatNumber(viewers)}</td>}
      {isWide && (
        <td className={styles.figure}>
          {bitrate === undefined
            ? ''
            : formatNumber(bitrate / 1e6, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
        </td>
      )}
      <td className={styles.actions} data-busy={isChanging || undefined}>
        {hasActions && (
          <>
            <Link
              href={pathTo('streamView', { uid })}
              className={actionStyles.action}
              aria-label={t`Watch`}
              title={t`Watch`}
              aria-describedby={`name-${entry}`}
              tabIndex={isCurrent ? 0 : -1}
            >
              <MonitorPlay size={16} aria-hidden="true" />
            </Link>
            <StreamActions {...props} />
          </>
        )}
      </td>
    </tr>
  )
})

/** The archive depth of a stream; without one its maximum size, if it has one. */
function Archive({ isEnable, depthHours, quotaBytes = -1 }: Stream['archive']) {
  const { t } = useLingui()
  if (!isEnable) return <span className={styles.none}>{t`Off`}</span>
  if (depthHours <= 0) return quotaBytes === -1 ? t`No limit` : formatGigabytes(quotaBytes)
  if (depthHours % 24 === 0) return <Plural value={depthHours / 24} one="# day" other="# days" />
  return <Plural value={depthHours} one="# hour" other="# hours" />
}
