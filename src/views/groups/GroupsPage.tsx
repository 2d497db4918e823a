import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { Plus, Trash2, Users, Video } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { GroupSummary } from '../../api/contract/groups.ts'
import { titles } from '../../i18n/titles.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { GroupKind, newGroupForm } from '../../machines/groups/group-values.ts'
import { type groupsMachine, shownGroups } from '../../machines/groups/groups.machine.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useForm } from '../form/Form.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { StatePanel } from '../ui/State.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import styles from './Groups.module.css'

type PageRef = ActorRefFrom<typeof groupsMachine>
type Snapshot = SnapshotFrom<typeof groupsMachine>

const selectForm = ({ children }: Snapshot) => children.form
const selectIsConfirming = (snapshot: Snapshot) => snapshot.matches('confirming')

export function GroupsPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { list, searched, kind, chosen } = useSelector(actor, selectContext)
  const form = useSelector(actor, selectForm)
  const isConfirming = useSelector(actor, selectIsConfirming)
  const { value, apiError } = useSelector(list, ({ context }) => context)
  const name = chosen?.name || (chosen?.id ?? '')
  return (
    <Page
      title={t(titles.groups)}
      width="middle"
      note={value !== null && <Plural value={value.length} one="# group" other="# groups" />}
    >
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {(groups) => (
          <>
            <SearchBox
              label={t`Search groups`}
              value={searched}
              onChange={(text) => actor.send({ type: 'search.changed', searched: text })}
            />
            <GroupTable actor={actor} kind="users" groups={shownGroups(groups, 'users', searched)} />
            <GroupTable actor={actor} kind="streams" groups={shownGroups(groups, 'streams', searched)} />
          </>
        )}
      </Resource>
      {form !== undefined && <AddGroup form={form} kind={kind} onClose={() => actor.send({ type: 'dialog.closed' })} />}
      {isConfirming && (
        <ConfirmDialog
          title={t`Delete the group ${name}?`}
          confirmLabel={t`Delete`}
          onConfirm={() => actor.send({ type: 'delete.confirmed' })}
          onCancel={() => actor.send({ type: 'dialog.closed' })}
        >
          <Trans>
            Users lose the permissions that they have only through this group. The users and streams are not deleted.
          </Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

interface GroupTableProps {
  actor: PageRef
  kind: GroupKind
  groups: readonly GroupSummary[]
}

function GroupTable({ actor, kind, groups }: GroupTableProps) {
  const { t } = useLingui()
  const id = useId()
  const isOfUsers = kind === 'users'
  const title = isOfUsers ? t`User groups` : t`Stream groups`
  const searched = useSelector(actor, ({ context }) => context.searched)
  const columns: readonly Column<GroupSummary>[] = [
    {
      id: 'name',
      label: t`Name`,
      render: (group) => (
        <Link href={pathTo('group', { id: group.id })} className={styles.name}>
          {group.name || group.id}
        </Link>
      ),
    },
    {
      id: 'members',
      label: t`Members`,
      render: ({ memberCount }) =>
        isOfUsers ? (
          <Plural value={memberCount} one="# user" other="# users" />
        ) : (
          <Plural value={memberCount} one="# stream" other="# streams" />
        ),
    },
    {
      id: 'actions',
      label: t`Actions`,
      render: (group) => (
        <IconButton
          label={t`Delete ${group.name || group.id}`}
          icon={<Trash2 size={16} />}
          onPress={() => actor.send({ type: 'delete.requested', group })}
        />
      ),
    },
  ]
  return (
    <section className={styles.kind} aria-labelledby={id}>
      <header className={people.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <Button
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => actor.send({ type: 'add.requested', kind })}
        >
          {isOfUsers ? t`Add user group` : t`Add stream group`}
        </Button>
      </header>
      {groups.length > 0 ? (
        <Table label={title} columns={columns} rows={groups} keyOf={(group) => group.id} />
      ) : searched.trim() !== '' ? (
        <p className={people.muted} role="status">
          <Trans>No matches</Trans>
        </p>
      ) : (
        <StatePanel
          icon={isOfUsers ? <Users size={20} /> : <Video size={20} />}
          title={isOfUsers ? t`No user groups yet` : t`No stream groups yet`}
        >
          {isOfUsers ? (
            <Trans>Users of a group have its permissions on streams in addition to their own.</Trans>
          ) : (
            <Trans>Permissions on a stream group are permissions on each of its streams.</Trans>
          )}
        </StatePanel>
      )}
    </section>
  )
}

interface AddGroupProps {
  form: ActorRefFrom<typeof newGroupForm>
  kind: GroupKind
  onClose: () => void
}

function AddGroup({ form, kind, onClose }: AddGroupProps) {
  const { t } = useLingui()
  const id = useId()
  const { isBusy, text } = useForm(form)
  return (
    <FormDialog
      title={kind === 'users' ? t`Add user group` : t`Add stream group`}
      form={id}
      submitLabel={t`Add`}
      isBusy={isBusy}
      onClose={onClose}
    >
      <Form form={form} id={id} className={people.form} focusFirst>
        <TextField label={t`Name`} autoComplete="off" maxLength={100} {...text('name')} />
      </Form>
    </FormDialog>
  )
}
