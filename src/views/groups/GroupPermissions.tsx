import { useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Layers, Video } from 'lucide-react'
import type { GroupPermission } from '../../api/contract/groups.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { keyOf, type Named, permissionRows } from '../../machines/groups/group-values.ts'
import type { KnownGroup } from '../../machines/groups/group.machine.ts'
import { hasRight, noRights, type Right, rightsOf } from '../../machines/permissions/rights.ts'
import { useApp } from '../app/console.ts'
import people from '../people/people.module.css'
import { useRightNames } from '../people/words.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Panel } from '../ui/Page.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { TableCheckbox } from '../ui/TableCheckbox.tsx'
import { useUnlisted } from '../ui/use-unlisted.ts'
import styles from './Groups.module.css'

interface Change {
  target: GroupPermission
  right: Right
  isGranted: boolean
}

interface GroupPermissionsProps {
  known: KnownGroup
  permissions: readonly GroupPermission[]
  error: string | undefined
  onChange: (change: Change) => void
}

/** What a group of users may do: a row for each group of streams, and for each stream with a permission of its own. */
export function GroupPermissions({ known, permissions, error, onChange }: GroupPermissionsProps) {
  const { t } = useLingui()
  const rights = rightsOf(useApp(selectSettings).features)
  const rightNames = useRightNames()
  const rows = permissionRows(permissions, known.streamGroups)
  const columns: readonly Column<GroupPermission>[] = [
    {
      id: 'name',
      label: t`Streams`,
      render: ({ name, streamGroupId, streamId }) => (
        <span className={styles.target}>
          {streamGroupId === undefined ? (
            <Video size={16} aria-label={t`Stream`} role="img" />
          ) : (
            <Layers size={16} aria-label={t`Stream group`} role="img" />
          )}
          {name || (streamGroupId ?? streamId)}
        </span>
      ),
    },
    ...rights.map((right) => ({
      id: right,
      label: rightNames[right],
      render: (target: GroupPermission) => (
        <TableCheckbox
          label={`${target.name || (target.streamGroupId ?? target.streamId ?? '')}: ${rightNames[right]}`}
          checked={hasRight(target, right)}
          onChange={(isGranted) => onChange({ target, right, isGranted })}
        />
      ),
    })),
  ]
  return (
    <Panel title={t`Permissions`}>
      {rows.length === 0 ? (
        <p className={people.muted}>
          <Trans>There are no stream groups yet. Add one, or grant access to a single stream.</Trans>
        </p>
      ) : (
        <Table label={t`Permissions`} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      <AddStream
        streams={known.streams}
        total={known.streamCount}
        permissions={permissions}
        onAdd={({ id, name }) =>
          onChange({ target: { streamId: id, name, ...noRights }, right: 'canView', isGranted: true })
        }
      />
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </Panel>
  )
}

interface AddStreamProps {
  streams: readonly Named[]
  total: number
  permissions: readonly GroupPermission[]
  onAdd: (stream: Named) => void
}

/** A stream is chosen first, then added, as the arrow keys and letters choose at once in a closed list. */
function AddStream({ streams, total, permissions, onAdd }: AddStreamProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState('')
  const listed = new Set(permissions.map(({ streamId }) => streamId))
  const remaining = streams.filter(({ id }) => !listed.has(id))
  const stream = remaining.find(({ id }) => id === chosen)
  const add = () => {
    if (stream === undefined) return
    setChosen('')
    onAdd(stream)
  }
  return (
    <>
      <SelectField
        label={t`Access to a single stream`}
        value={stream?.id ?? ''}
        {...useUnlisted({ items: streams, total })}
        options={[
          { value: '', label: t`Add a stream…` },
          ...remaining.map(({ id, name }) => ({ value: id, label: name || id })),
        ]}
        onChange={setChosen}
      />
      <div className={styles.tools}>
        <Button disabled={stream === undefined} onClick={add}>{t`Add`}</Button>
      </div>
    </>
  )
}
