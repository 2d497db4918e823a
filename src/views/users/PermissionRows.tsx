import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import type { Listing } from '../../machines/streams/listing.ts'
import type { PermissionRows as AllRows } from '../../machines/users/permission-rows.ts'
import { hasRight, type Right, rightsOf } from '../../machines/permissions/rights.ts'
import { type NamedStream, type Permission } from '../../machines/users/permissions.ts'
import { type GroupPermission, queryOf } from '../../machines/users/user-permissions.machine.ts'
import { useApp } from '../app/console.ts'
import { type RightNames, useRightNames } from '../people/words.ts'
import { Skeleton } from '../ui/State.tsx'
import { useVisibleRows } from '../ui/use-visible-rows.ts'
import { type PageRef, selectChosen, selectGathering, type Snapshot } from './permission-page.ts'
import { SelectedStreams } from './SelectedStreams.tsx'
import styles from './PermissionRows.module.css'

const rowHeight = 44

const selectByGroup = ({ context }: Snapshot) => context.byGroup
const selectSearched = ({ context }: Snapshot) => context.searched

interface PermissionRowsProps {
  actor: PageRef
  rows: AllRows
  /** The streams loaded so far; null if only granted ones are shown. */
  listing: Listing | null
  /** The streams are those of an earlier search. */
  isOutdated: boolean
}

export function PermissionRows({ actor, rows, listing, isOutdated }: PermissionRowsProps) {
  const { t } = useLingui()
  const { scroller, first, last } = useVisibleRows({
    count: rows.count,
    rowHeight,
    onSight: (sight) => actor.getSnapshot().children.paging?.send({ type: 'rows.viewed', ...sight }),
  })
  const rights = rightsOf(useApp(selectSettings).features)
  const names = useRightNames()
  const chosen = useSelector(actor, selectChosen)
  const searched = useSelector(actor, selectSearched)
  const byGroup = useSelector(actor, selectByGroup)
  const isGathering = useSelector(actor, selectGathering) !== undefined
  const areAll = areAllChosen(rows, chosen)
  const all = () => Array.from({ length: rows.count }, (_, index) => rows.at(index)).filter((row) => row !== undefined)
  const chooseAll = () => {
    const shown = all()
    const isWhole = shown.length === rows.count
    if (listing === null || (areAll && isWhole)) actor.send({ type: 'rows.chosen', streams: shown, isChosen: !areAll })
    else if (areAll) actor.send({ type: 'choice.cleared' })
    else actor.send({ type: 'choice.allRequested', gathering: { query: queryOf(searched), listing } })
  }
  return (
    <div className={styles.rows}>
      <SelectedStreams actor={actor} rights={rights} names={names} />
      <div
        role="table"
        aria-label={t`Permissions`}
        aria-rowcount={rows.count + 1}
        className={styles.rows}
        style={{ border: 0, borderRadius: 0 }}
      >
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.headRow}`}>
            <div role="columnheader" className={styles.cell}>
              <label>
                <input
                  type="checkbox"
                  aria-label={t`Select all`}
                  checked={areAll}
                  disabled={isGathering || isOutdated}
                  onChange={chooseAll}
                />
              </label>
            </div>
            <div role="columnheader">{t`Stream`}</div>
            {rights.map((right) => (
              <div key={right} role="columnheader" className={styles.cell}>
                {names[right]}
              </div>
            ))}
          </div>
        </div>
        <div ref={scroller} role="rowgroup" className={styles.scroller}>
          <div role="presentation" style={{ height: first * rowHeight }} />
          {Array.from({ length: Math.max(0, last - first) }, (_, index) => {
            const row = rows.at(first + index)
            if (row === undefined) return <Waiting key={first + index} index={first + index + 2} />
            return (
              <Row
                key={row.uid}
                row={row}
                byGroup={byGroup.get(row.uid)}
                index={first + index + 2}
                rights={rights}
                names={names}
                isChosen={chosen.has(row.uid)}
                isLocked={isGathering}
                onChoose={() => actor.send({ type: 'rows.chosen', streams: [row], isChosen: !chosen.has(row.uid) })}
                onChange={(right) =>
                  actor.send({
                    type: 'right.changed',
                    streams: [{ uid: row.uid, name: row.name }],
                    right,
                    isGranted: !hasRight(row, right),
                  })
                }
              />
            )
          })}
          <div role="presentation" style={{ height: Math.max(0, rows.count - last) * rowHeight }} />
        </div>
      </div>
    </div>
  )
}

function areAllChosen(rows: AllRows, chosen: ReadonlyMap<string, NamedStream>): boolean {
  if (rows.count === 0 || chosen.size < rows.count) return false
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index)
    if (row !== undefined && !chosen.has(row.uid)) return false
  }
  return true
}

function Waiting({ index }: { index: number }) {
  return (
    <div role="row" aria-rowindex={index} className={styles.row}>
      <div role="cell" />
      <div role="cell">
        <Skeleton height="14px" width="60%" />
      </div>
    </div>
  )
}

interface RowProps {
  row: Permission
  byGroup: GroupPermission | undefined
  index: number
  rights: readonly Right[]
  names: RightNames
  isChosen: boolean
  isLocked: boolean
  onChoose: () => void
  onChange: (right: Right) => void
}

function Row({ row, byGroup, index, rights, names, isChosen, isLocked, onChoose, onChange }: RowProps) {
  const { t } = useLingui()
  const name = row.name || row.uid
  return (
    <div role="row" aria-rowindex={index} className={styles.row}>
      <div role="cell" className={styles.cell}>
        <label>
          <input
            type="checkbox"
            aria-label={t`Select ${name}`}
            checked={isChosen}
            disabled={isLocked}
            onChange={onChoose}
          />
        </label>
      </div>
      <div role="cell" className={styles.stream} title={name}>
        {name}
        {byGroup !== undefined && <ByGroup permission={byGroup} rights={rights} names={names} />}
      </div>
      {rights.map((right) => (
        <div key={right} role="cell" className={styles.cell}>
          <label>
            <input
              type="checkbox"
              aria-label={`${name}: ${names[right]}`}
              checked={hasRight(row, right)}
              onChange={() => onChange(right)}
            />
          </label>
        </div>
      ))}
    </div>
  )
}

function ByGroup({ permission, rights, names }: Pick<RowProps, 'rights' | 'names'> & { permission: GroupPermission }) {
  const groups = permission.groups.join(', ')
  const granted = rights.flatMap((right) => (hasRight(permission, right) ? [names[right]] : [])).join(', ')
  return (
    <small className={styles.byGroup}>
      {granted}{' '}
      <Plural value={permission.groups.length} one={`through group ${groups}`} other={`through groups ${groups}`} />
    </small>
  )
}
