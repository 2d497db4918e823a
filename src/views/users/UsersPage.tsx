import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Plus, SearchX, Users } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import { formatNumber } from '../../i18n/formats.ts'
import { titles } from '../../i18n/titles.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { selectContext } from '../../machines/selectors.ts'
import { type UserColumn, shownUsers, userColumns, type usersMachine } from '../../machines/users/users.machine.ts'
import { ListSkeleton } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { useRole } from '../people/words.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Page } from '../ui/Page.tsx'
import { Refused } from '../ui/Resource.tsx'
import styles from './users.module.css'

type Snapshot = SnapshotFrom<typeof usersMachine>

const selectState = ({ value }: Snapshot) => value
const pageSize = 200

export function UsersPage({ actor }: { actor: ActorRefFrom<typeof usersMachine> }) {
  const { t } = useLingui()
  const context = useSelector(actor, selectContext)
  const state = useSelector(actor, selectState)
  const [limit, setLimit] = useState(pageSize)
  const { users, query, apiError } = context
  const found = shownUsers(context)
  const isFiltered = found.length !== users.length
  const foundCount = formatNumber(found.length)
  return (
    <Page
      width="middle"
      title={t(titles.users)}
      note={
        state !== 'ready' ? undefined : isFiltered ? (
          <Plural value={users.length} one={`${foundCount} of # user`} other={`${foundCount} of # users`} />
        ) : (
          <Plural value={users.length} one="# user" other="# users" />
        )
      }
      actions={
        <ButtonLink href="/user/add" variant="primary" icon={<Plus size={16} />}>
          {t`Add user`}
        </ButtonLink>
      }
    >
      {state === 'loading' && <ListSkeleton rows={6} />}
      {state === 'failed' && apiError !== null && (
        <Refused apiError={apiError} onRetry={() => actor.send({ type: 'list.retried' })} />
      )}
      {state === 'ready' && (
        <>
          <SearchBox
            label={t`Search users`}
            value={query}
            onChange={(value) => actor.send({ type: 'query.changed', query: value })}
          />
          {found.length === 0 ? (
            <StatePanel
              icon={query === '' ? <Users size={20} /> : <SearchX size={20} />}
              title={query === '' ? t`No users` : t`Nobody found`}
              announce
            >
              {query === '' ? (
                <Trans>Add the first user.</Trans>
              ) : (
                <Trans>No login, name or email contains this.</Trans>
              )}
            </StatePanel>
          ) : (
            <UserTable
              users={found.slice(0, limit)}
              by={context.by}
              isDescending={context.isDescending}
              onOrder={(by) => actor.send({ type: 'order.chosen', by })}
            />
          )}
          {found.length > limit && (
            <div className={styles.more}>
              <Button onClick={() => setLimit(limit + pageSize)}>{t`Show more`}</Button>
            </div>
          )}
        </>
      )}
    </Page>
  )
}

interface UserTableProps {
  users: readonly User[]
  by: UserColumn
  isDescending: boolean
  onOrder: (by: UserColumn) => void
}

function UserTable({ users, by, isDescending, onOrder }: UserTableProps) {
  const { t } = useLingui()
  const roleOf = useRole()
  const names: Readonly<Record<UserColumn, string>> = {
    name: t`Login`,
    fullName: t`Full name`,
    email: t`Email`,
    role: t`Role`,
    state: t`State`,
  }
  return (
    <table className={styles.table} aria-label={t(titles.users)}>
      <thead>
        <tr>
          {userColumns.map((column) => (
            <th
              key={column}
              scope="col"
              aria-sort={column === by ? (isDescending ? 'descending' : 'ascending') : 'none'}
            >
              <button type="button" className={styles.sort} onClick={() => onOrder(column)}>
                {names[column]}
                {column === by &&
                  (isDescending ? (
                    <ArrowDown size={16} aria-hidden="true" />
                  ) : (
                    <ArrowUp size={16} aria-hidden="true" />
                  ))}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.name}>
            <td>
              <Link href={pathTo('userInfo', { login: user.name })} className={styles.login}>
                {user.name}
              </Link>
            </td>
            <td>{user.fullName}</td>
            <td>{user.email}</td>
            <td data-label={names.role}>{roleOf(user)}</td>
            <td data-label={names.state}>
              <UserState user={user} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function UserState({ user: { isBlocked, isManaged } }: { user: User }) {
  const { t } = useLingui()
  return (
    <>
      <span className={`${people.badge} ${isBlocked ? people.bad : people.good}`}>
        {isBlocked ? t`Blocked` : t`Active`}
      </span>{' '}
      {isManaged && <span className={people.badge}>{t`Managed elsewhere`}</span>}
    </>
  )
}
