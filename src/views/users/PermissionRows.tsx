import { Plural, useLingui } from '@lingui/react/macro'
import type { ActorRefFrom } from 'xstate'
import { type PermissionRow, type Right, rights } from '../../machines/users/permissions.ts'
import type { userPermissionsMachine } from '../../machines/users/user-permissions.machine.ts'
import { Button } from '../ui/Button.tsx'
import { useWindow } from '../ui/use-window.ts'
import styles from './users.module.css'

const rowHeight = 44

interface PermissionRowsProps {
  actor: ActorRefFrom<typeof userPermissionsMachine>
  rows: readonly PermissionRow[]
  chosenCount: number
}

/** The streams as a table of which only the rows in sight are in the document, with what to do with the chosen ones. */
export function PermissionRows({ actor, rows, chosenCount }: PermissionRowsProps) {
  const { t } = useLingui()
  const { scroller, first, last } = useWindow({ count: rows.length, rowHeight })
  const names: Readonly<Record<Right, string>> = { canView: t`Live`, canViewArchive: t`Archive`, canAdmin: t`Administer` }
  const chosen = rows.filter(({ isChosen }) => isChosen)
  const areAllChosen = rows.length > 0 && chosen.length === rows.length
  const change = (streams: readonly PermissionRow[], right: Right, isGiven: boolean) =>
    actor.send({ type: 'right.changed', streams: streams.map(({ uid, name }) => ({ uid, name })), right, isGiven })
  return (
    <div className={styles.rows}>
      {chosenCount > 0 && (
        <div className={styles.bulk} role="group" aria-label={t`Chosen streams`}>
          <p role="status">
            <Plural value={chosen.length} one="# stream chosen" other="# streams chosen" />
          </p>
          {rights.map((right) => {
            const name = names[right]
            return <Button key={right} onClick={() => change(chosen, right, true)}>{t`Allow: ${name}`}</Button>
          })}
          <Button onClick={() => change(chosen, 'canView', false)}>{t`Withdraw all`}</Button>
        </div>
      )}
      <div role="table" aria-label={t`Permissions`} aria-rowcount={rows.length + 1} className={styles.rows} style={{ border: 0, borderRadius: 0 }}>
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.headRow}`}>
            <div role="columnheader" className={styles.cell}>
              <label>
                <input
                  type="checkbox"
                  aria-label={t`Choose all shown`}
                  checked={areAllChosen}
                  onChange={() => actor.send({ type: 'rows.chosen', uids: rows.map(({ uid }) => uid), isChosen: !areAllChosen })}
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
          {rows.slice(first, last).map((row, index) => (
            <Row
              key={row.uid}
              row={row}
              index={first + index + 2}
              names={names}
              onChoose={() => actor.send({ type: 'rows.chosen', uids: [row.uid], isChosen: !row.isChosen })}
              onChange={(right) => change([row], right, !row[right])}
            />
          ))}
          <div role="presentation" style={{ height: Math.max(0, rows.length - last) * rowHeight }} />
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  row: PermissionRow
  index: number
  names: Readonly<Record<Right, string>>
  onChoose: () => void
  onChange: (right: Right) => void
}

function Row({ row, index, names, onChoose, onChange }: RowProps) {
  const { t } = useLingui()
  const name = row.name || row.uid
  return (
    <div role="row" aria-rowindex={index} className={styles.row}>
      <div role="cell" className={styles.cell}>
        <label>
          <input type="checkbox" aria-label={t`Choose ${name}`} checked={row.isChosen} onChange={onChoose} />
        </label>
      </div>
      <div role="cell" className={styles.stream} title={name}>
        {name}
      </div>
      {rights.map((right) => (
        <div key={right} role="cell" className={styles.cell}>
          <label>
            <input type="checkbox" aria-label={`${name}: ${names[right]}`} checked={row[right]} onChange={() => onChange(right)} />
          </label>
        </div>
      ))}
    </div>
  )
}
