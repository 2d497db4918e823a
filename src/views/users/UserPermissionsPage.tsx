import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck, Video } from 'lucide-react'
import { useMemo } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { selectContext, selectIsBusy } from '../../machines/selectors.ts'
import { formatNumber } from '../../i18n/formats.ts'
import type { pagingMachine } from '../../machines/streams/paging.machine.ts'
import { rowsOf } from '../../machines/users/permission-rows.ts'
import type { permissionsFormMachine, userPermissionsMachine } from '../../machines/users/user-permissions.machine.ts'
import { Form } from '../form/Form.tsx'
import { SaveButtons } from '../form/SaveButtons.tsx'
import { ListSkeleton } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { StatePanel } from '../ui/State.tsx'
import { Refused } from '../ui/Resource.tsx'
import { PermissionRows } from './PermissionRows.tsx'
import styles from './users.module.css'

type PageRef = ActorRefFrom<typeof userPermissionsMachine>
type FormActor = ActorRefFrom<typeof permissionsFormMachine>
type Snapshot = SnapshotFrom<typeof userPermissionsMachine>

const selectPaging = ({ children }: Snapshot) => children.paging
type Paging = SnapshotFrom<typeof pagingMachine> | undefined
const noPages = { listing: null, apiError: null, isOutdated: false }
const selectPages = (snapshot: Paging) => snapshot?.context ?? noPages
const selectHasFailed = (snapshot: Paging) => snapshot?.hasTag('error') === true
const selectIsDirty = (snapshot: SnapshotFrom<typeof permissionsFormMachine>) => snapshot.matches({ leaving: 'held' })

export function UserPermissionsPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { login, form, apiError } = useSelector(actor, selectContext)
  if (form !== null) return <Permissions actor={actor} form={form} />
  return (
    <div className={styles.grid}>
      <h2>{t`Permissions of ${login}`}</h2>
      {apiError === null ? (
        <ListSkeleton rows={6} />
      ) : (
        <Refused apiError={apiError} onRetry={() => actor.send({ type: 'list.retried' })} />
      )}
    </div>
  )
}

function Permissions({ actor, form }: { actor: PageRef; form: FormActor }) {
  const { t } = useLingui()
  const { login, isAdmin, searched, isGrantedOnly } = useSelector(actor, selectContext)
  const paging = useSelector(actor, selectPaging)
  const { listing, apiError, isOutdated } = useSelector(paging, selectPages)
  const hasFailed = useSelector(paging, selectHasFailed)
  const { values, saved } = useSelector(form, selectContext)
  const isBusy = useSelector(form, selectIsBusy)
  const isDirty = useSelector(form, selectIsDirty)
  const { permissions } = values
  const rows = useMemo(
    () => rowsOf({ permissions, listing, searched, isGrantedOnly }),
    [permissions, listing, searched, isGrantedOnly],
  )
  const isListMissing = listing === null && !isGrantedOnly
  const shown = formatNumber(rows.count)
  return (
    <div className={styles.grid}>
      <header className={people.head}>
        <div className={people.heading}>
          <h2>{t`Permissions of ${login}`}</h2>
          <p className={people.count} role="status">
            {isListMissing ? (
              !hasFailed && t`Loading…`
            ) : (
              <Plural value={rows.count} one={`${shown} stream`} other={`${shown} streams`} />
            )}
          </p>
        </div>
        <div className={people.actions}>
          <SaveButtons
            form="permissions"
            isBusy={isBusy}
            isChanged={isDirty}
            onDiscard={() => form.send({ type: 'form.reset', values: saved })}
          />
        </div>
      </header>
      {isAdmin && (
        <p className={people.notice}>
          <ShieldCheck size={16} aria-hidden="true" />
          <span>
            <Trans>
              {login} is an administrator with full access to all streams, whatever permissions are set here.
            </Trans>
          </span>
        </p>
      )}
      {hasFailed && listing !== null && (
        <p className={`${people.notice} ${people.warning}`}>
          <span>
            <Trans>Not all streams could be loaded. You can still change those shown.</Trans>{' '}
            <Button variant="quiet" onClick={() => paging?.send({ type: 'list.retried' })}>{t`Retry`}</Button>
          </span>
        </p>
      )}
      <div className={styles.tools}>
        <SearchBox
          label={t`Search streams`}
          value={searched}
          onChange={(value) => actor.send({ type: 'search.changed', searched: value })}
        />
        <Button
          aria-pressed={isGrantedOnly}
          variant={isGrantedOnly ? 'primary' : 'secondary'}
          onClick={() => actor.send({ type: 'granted.toggled' })}
        >
          {t`Only granted`}
        </Button>
      </div>
      <Form form={form} id="permissions">
        {null}
      </Form>
      {isListMissing ? (
        hasFailed && apiError !== null ? (
          <Refused apiError={apiError} onRetry={() => paging?.send({ type: 'list.retried' })} />
        ) : (
          <ListSkeleton rows={6} />
        )
      ) : rows.count === 0 ? (
        <NoRows isSearched={searched.trim() !== ''} isGrantedOnly={isGrantedOnly} />
      ) : (
        <PermissionRows
          actor={actor}
          rows={rows}
          listing={isGrantedOnly ? null : listing}
          isOutdated={!isGrantedOnly && isOutdated}
        />
      )}
    </div>
  )
}

function NoRows({ isSearched, isGrantedOnly }: { isSearched: boolean; isGrantedOnly: boolean }) {
  const { t } = useLingui()
  const isNarrowed = isSearched || isGrantedOnly
  return (
    <StatePanel icon={<Video size={20} />} title={isNarrowed ? t`No streams found` : t`No streams`} announce>
      {isSearched && isGrantedOnly ? (
        <Trans>No stream with permissions contains this in its name.</Trans>
      ) : isGrantedOnly ? (
        <Trans>No permissions are granted here. Turn off “Only granted” to see all streams.</Trans>
      ) : isSearched ? (
        <Trans>No stream contains this in its name, source, tags or location.</Trans>
      ) : (
        <Trans>There are no streams to grant access to.</Trans>
      )}
    </StatePanel>
  )
}
