import { Plural, useLingui } from '@lingui/react/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { titles } from '../../i18n/titles.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { groupForm } from '../../machines/groups/group-values.ts'
import { type groupMachine, type KnownGroup, shownCandidates } from '../../machines/groups/group.machine.ts'
import { selectIsDirty } from '../../machines/form/form.selectors.ts'
import { selectContext } from '../../machines/selectors.ts'
import { Form, useFormState } from '../form/Form.tsx'
import { SaveButtons } from '../form/SaveButtons.tsx'
import { ListSkeleton } from '../people/parts.tsx'
import people from '../people/people.module.css'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { Refused } from '../ui/Resource.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { useUnlisted } from '../ui/use-unlisted.ts'
import { GroupPermissions } from './GroupPermissions.tsx'
import styles from './Groups.module.css'
import { PickList } from './PickList.tsx'

type PageRef = ActorRefFrom<typeof groupMachine>
type FormRef = ActorRefFrom<typeof groupForm>

const selectIsSearching = (snapshot: SnapshotFrom<typeof groupMachine>) =>
  snapshot.matches('ready') && snapshot.hasTag('busy')
const selectSaved = ({ context }: SnapshotFrom<typeof groupForm>) => context.saved

export function GroupPage({ actor }: { actor: PageRef }) {
  const { t } = useLingui()
  const { known, form, apiError } = useSelector(actor, selectContext)
  if (known !== null && form !== null) return <EditedGroup actor={actor} form={form} known={known} />
  return (
    <Page title={t(titles.group)} width="middle">
      {apiError === null ? (
        <ListSkeleton rows={6} />
      ) : (
        <Refused apiError={apiError} onRetry={() => actor.send({ type: 'group.retried' })} />
      )}
    </Page>
  )
}

function EditedGroup({ actor, form, known }: { actor: PageRef; form: FormRef; known: KnownGroup }) {
  const { t } = useLingui()
  const id = useId()
  const { values, isBusy, errors, errorOf } = useFormState(form)
  const saved = useSelector(form, selectSaved)
  const isChanged = useSelector(form, selectIsDirty)
  const isOfUsers = known.group.kind === 'users'
  const errorIn = (list: string) => {
    const path = Object.keys(errors).find((each) => each === list || each.startsWith(`${list}.`))
    return path === undefined ? undefined : errorOf(path)
  }
  return (
    <Page
      title={saved.name.trim() || saved.id}
      width="middle"
      note={isOfUsers ? t`User group` : t`Stream group`}
      actions={
        <>
          {isChanged && !isBusy && <span className={people.muted}>{t`Not saved yet`}</span>}
          <SaveButtons
            form={id}
            isBusy={isBusy}
            isChanged={isChanged}
            onDiscard={() => form.send({ type: 'form.reset', values: saved })}
          />
        </>
      }
    >
      <p>
        <Link href={pathTo('groups')}>{t`All groups`}</Link>
      </p>
      <Panel>
        <Form form={form} id={id}>
          <TextField
            label={t`Name`}
            name="name"
            autoComplete="off"
            maxLength={100}
            value={values.name}
            error={errorOf('name')}
            onChange={(name) => form.send({ type: 'form.edited', values: { name } })}
          />
        </Form>
      </Panel>
      <Members actor={actor} known={known} members={values.members} error={errorIn('members')} />
      {isOfUsers && (
        <GroupPermissions
          known={known}
          permissions={values.permissions}
          error={errorIn('permissions')}
          onChange={(change) => actor.send({ type: 'right.changed', ...change })}
        />
      )}
    </Page>
  )
}

interface MembersProps {
  actor: PageRef
  known: KnownGroup
  members: readonly string[]
  error: string | undefined
}

function Members({ actor, known, members, error }: MembersProps) {
  const { t } = useLingui()
  const { group, candidates: all } = known
  const { help } = useUnlisted({ items: all, total: group.kind === 'users' ? 0 : known.streamCount })
  const { searched, areMembersOnly } = useSelector(actor, selectContext)
  const isSearching = useSelector(actor, selectIsSearching)
  const found = shownCandidates(all, members, { searched, areMembersOnly })
  const isOfUsers = group.kind === 'users'
  const memberIds = new Set(members)
  const areAll = found.length > 0 && found.every(({ id }) => memberIds.has(id))
  const change = (ids: readonly string[], isMember: boolean) => actor.send({ type: 'members.changed', ids, isMember })
  return (
    <Panel title={t`Members`}>
      <p className={people.muted} role="status">
        {isOfUsers ? (
          <Plural value={members.length} one="# user" other="# users" />
        ) : (
          <Plural value={members.length} one="# stream" other="# streams" />
        )}
      </p>
      <div className={styles.tools}>
        <SearchBox
          label={isOfUsers ? t`Search users` : t`Search streams`}
          value={searched}
          onChange={(text) => actor.send({ type: 'search.changed', searched: text })}
        />
        <Button
          aria-pressed={areMembersOnly}
          variant={areMembersOnly ? 'primary' : 'secondary'}
          onClick={() => actor.send({ type: 'members.toggled' })}
        >
          {t`Only members`}
        </Button>
        <Button
          disabled={found.length === 0}
          onClick={() =>
            change(
              found.map(({ id }) => id),
              !areAll,
            )
          }
        >
          {areAll ? t`Remove all found` : t`Add all found`}
        </Button>
      </div>
      {help !== undefined && (
        <p className={people.muted}>
          {help} {t`The search finds the others, too.`}
        </p>
      )}
      {found.length === 0 ? (
        <p className={people.muted} role="status">
          {isSearching ? t`Searching…` : t`No matches`}
        </p>
      ) : (
        <PickList
          label={t`Members`}
          options={found}
          chosen={memberIds}
          onToggle={(id) => change([id], !memberIds.has(id))}
        />
      )}
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </Panel>
  )
}
