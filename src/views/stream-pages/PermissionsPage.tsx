import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Trash2, UserPlus } from 'lucide-react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { apiErrorText } from '../../i18n/errors.ts'
import { selectSettings } from '../../machines/app/app.selectors.ts'
import { hasRight, noRights, type Right, rightsOf, withRight } from '../../machines/permissions/rights.ts'
import { selectIsDirty } from '../../machines/form/form.selectors.ts'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import type { Permission } from '../../machines/stream-pages/permissions.ts'
import type {
  GroupPermission,
  permissionsForm,
  streamPermissionsMachine,
} from '../../machines/stream-pages/permissions.machine.ts'
import { useApp } from '../app/console.ts'
import { Form } from '../form/Form.tsx'
import { useRightNames } from '../people/words.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { removeRow } from '../ui/remove-row.ts'
import { useRowWords } from '../ui/server-words.ts'
import { Skeleton, StatePanel } from '../ui/State.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { TableCheckbox } from '../ui/TableCheckbox.tsx'
import { AddPerson } from './AddPerson.tsx'
import styles from './PermissionsPage.module.css'
import fields from './StreamFields.module.css'

type PermissionsRef = ActorRefFrom<typeof streamPermissionsMachine>
type FormRef = ActorRefFrom<typeof permissionsForm>

export function PermissionsPage({ actor }: { actor: PermissionsRef }) {
  const { t, i18n } = useLingui()
  const { form, search, apiError, byGroup } = useSelector(actor, selectContext)
  if (form !== null) return <PermissionList form={form} search={search} byGroup={byGroup} />
  if (apiError === null) {
    return (
      <Page title={t`Stream permissions`}>
        <div aria-busy="true">
          <Skeleton height="220px" />
        </div>
      </Page>
    )
  }
  const { message, code } = apiErrorText(apiError.code)
  return (
    <StatePanel
      icon={<CircleAlert size={20} />}
      title={i18n._(message)}
      announce
      actions={<Button onClick={() => actor.send({ type: 'permissions.retried' })}>{t`Retry`}</Button>}
    >
      <Trans>The permissions could not be loaded.</Trans> {code !== '' && <code>{code}</code>}
    </StatePanel>
  )
}

function PermissionList({
  form,
  search,
  byGroup,
}: {
  form: FormRef
  byGroup: readonly GroupPermission[]
  search: SnapshotFrom<typeof streamPermissionsMachine>['context']['search']
}) {
  const { t } = useLingui()
  const { values, errors } = useSelector(form, selectContext)
  const rowWords = useRowWords()
  const isBusy = useSelector(form, selectIsBusy)
  const isUnsaved = useSelector(form, selectIsDirty)
  const { permissions } = values
  const change = (next: Permission[]) => form.send({ type: 'form.edited', values: { permissions: next } })
  const nameOf = useRightNames()
  const names = rightsOf(useApp(selectSettings).features).map((right) => ({ right, name: nameOf[right] }))
  const columns: readonly Column<Permission>[] = [
    { id: 'login', label: t`Login`, render: ({ login }) => <strong>{login}</strong> },
    ...names.map(({ right, name }) => ({
      id: right,
      label: name,
      render: (permission: Permission) => (
        <TableCheckbox
          label={`${name}: ${permission.login}`}
          checked={hasRight(permission, right)}
          onChange={(isGranted) =>
            change(
              permissions.map((other) =>
                other.login === permission.login ? withRight(other, right, isGranted) : other,
              ),
            )
          }
        />
      ),
    })),
    {
      id: 'remove',
      label: t`Actions`,
      render: ({ login }) => (
        <IconButton
          label={t`Remove ${login}`}
          icon={<Trash2 size={16} />}
          onPress={() =>
            removeRow('td button', '[role="combobox"]', () =>
              change(permissions.filter((other) => other.login !== login)),
            )
          }
        />
      ),
    },
  ]
  return (
    <Page title={t`Stream permissions`} note={<Plural value={permissions.length} one="# user" other="# users" />}>
      <p className={fields.note}>
        <Trans>The user who added the stream and administrators have full access; they aren't listed here.</Trans>
      </p>
      <AddPerson
        search={search}
        permissions={permissions}
        onAdd={(login) => change([...permissions, withRight({ login, ...noRights }, 'canView', true)])}
      />
      <Form form={form} className={fields.form}>
        {permissions.length === 0 ? (
          <Panel>
            <StatePanel icon={<UserPlus size={20} />} title={t`No other users may watch this stream yet`}>
              <Trans>Add a user by login and select the permissions.</Trans>
            </StatePanel>
          </Panel>
        ) : (
          <Table label={t`Stream permissions`} columns={columns} rows={permissions} keyOf={({ login }) => login} />
        )}
        {errors['permissions'] !== undefined && (
          <p className={styles.error} role="alert">
            <CircleAlert size={16} aria-hidden="true" />
            {rowWords(errors['permissions'])}
          </p>
        )}
        <div className={fields.submit}>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t`Save`}
          </Button>
          {isUnsaved && !isBusy && <span className={fields.note}>{t`Not saved yet`}</span>}
        </div>
      </Form>
      {byGroup.length > 0 && <ByGroup permissions={byGroup} names={names} />}
    </Page>
  )
}

interface ByGroupProps {
  permissions: readonly GroupPermission[]
  names: readonly { right: Right; name: string }[]
}

function ByGroup({ permissions, names }: ByGroupProps) {
  const { t } = useLingui()
  const columns: readonly Column<GroupPermission>[] = [
    { id: 'name', label: t`Group`, render: ({ name }) => <strong>{name}</strong> },
    {
      id: 'members',
      label: t`Members`,
      render: ({ memberCount }) => <Plural value={memberCount} one="# user" other="# users" />,
    },
    {
      id: 'rights',
      label: t`Permissions`,
      render: (permission) =>
        names
          .filter(({ right }) => hasRight(permission, right))
          .map(({ name }) => name)
          .join(', '),
    },
  ]
  return (
    <Panel title={t`Through groups`}>
      <p className={fields.note}>
        <Trans>Members of these groups have access in addition to the permissions above.</Trans>
      </p>
      <Table label={t`Through groups`} columns={columns} rows={permissions} keyOf={({ groupId }) => groupId} />
    </Panel>
  )
}
