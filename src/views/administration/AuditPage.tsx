import type { FormEvent, MouseEvent } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download, ScrollText } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { AuditEntry, AuditPage as AuditPageData } from '../../api/contract/system.ts'
import type { AuditFilter } from '../../api/resources/administration.ts'
import { formatMoment } from '../../i18n/formats.ts'
import type { auditMachine } from '../../machines/administration/administration.machines.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { localOf, momentOf } from '../ui/local-moment.ts'
import { useDraft } from '../ui/use-draft.ts'
import { Page } from '../ui/Page.tsx'
import { Pages } from '../ui/Pages.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { Action, Outcome, Target, User } from './AuditCells.tsx'
import { actions, subjects } from './audit-words.ts'
import styles from './Administration.module.css'

export function AuditPage({ actor }: { actor: ActorRefFrom<typeof auditMachine> }) {
  const { t } = useLingui()
  const { value, apiError, query } = useSelector(actor, ({ context }) => context)
  const isExporting = useSelector(actor, (snapshot) => snapshot.hasTag('performing'))
  const applyFilter = (change: Partial<AuditFilter>) =>
    actor.send({ type: 'query.changed', query: { ...query, page: 1, ...change } })
  if (apiError?.code === 'AuditLogsDisabled') {
    return (
      <Page title={t`Audit logs`}>
        <StatePanel
          icon={<ScrollText size={20} />}
          title={t`The audit log is switched off`}
          announce
          actions={<ButtonLink href="/administration/config">{t`Configuration`}</ButtonLink>}
        >
          <Trans>
            Actions are not logged now. Switch the audit log on in the configuration; existing entries are kept.
          </Trans>
        </StatePanel>
      </Page>
    )
  }
  return (
    <Page
      title={t`Audit logs`}
      note={value !== null && <Count page={value} />}
      actions={
        <Button
          icon={<Download size={16} aria-hidden="true" />}
          busy={isExporting}
          disabled={value === null || value.total === 0}
          onClick={() => actor.send({ type: 'command.requested', command: { kind: 'export', filter: query } })}
        >
          {t`Download as CSV`}
        </Button>
      }
    >
      <Filter query={query} onFilter={applyFilter} />
      <Resource value={value} apiError={apiError} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(page) => (
          <Entries
            page={page}
            onPage={(number) => actor.send({ type: 'query.changed', query: { ...query, page: number } })}
          />
        )}
      </Resource>
    </Page>
  )
}

function Count({ page: { total, hasMore = false } }: { page: AuditPageData }) {
  if (hasMore) return <Plural value={total} one="More than # entry" other="More than # entries" />
  return <Plural value={total} one="# entry" other="# entries" />
}

function Filter({ query, onFilter }: { query: AuditFilter; onFilter: (change: Partial<AuditFilter>) => void }) {
  const { t } = useLingui()
  const [draft, setDraft] = useDraft({
    login: query.login,
    action: query.action,
    from: localOf(query.from),
    to: localOf(query.to),
  })
  /** What wasn't edited stays exact: the text has no seconds. */
  const momentIn = (name: 'from' | 'to') => (draft[name] === localOf(query[name]) ? query[name] : momentOf(draft[name]))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter({
      login: draft.login.trim(),
      action: draft.action.trim(),
      from: momentIn('from'),
      to: momentIn('to'),
    })
  }
  /** The button disappears with the filter: the first field takes the focus. */
  const clear = (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.form?.querySelector('input')?.focus()
    onFilter({ login: '', action: '', from: null, to: null })
  }
  const edit = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  const isFiltered = query.login !== '' || query.action !== '' || query.from !== null || query.to !== null
  const wordsOf = (action: string) => {
    const known = Object.hasOwn(actions, action) ? actions[action] : undefined
    return known === undefined ? action : t(known)
  }
  const options = [
    { value: '', label: t`Everything` },
    ...Object.entries(subjects).map(([value, words]) => ({ value, label: t(words) })),
    ...(query.action === '' || Object.hasOwn(subjects, query.action)
      ? []
      : [{ value: query.action, label: wordsOf(query.action) }]),
  ]
  return (
    <form className={styles.filter} onSubmit={submit} role="search" aria-label={t`Audit logs`}>
      <TextField label={t`From`} type="datetime-local" {...edit('from')} />
      <TextField label={t`To`} type="datetime-local" {...edit('to')} />
      <TextField label={t`Login`} {...edit('login')} />
      <SelectField label={t`Action`} options={options} {...edit('action')} />
      <div className={styles.row}>
        <Button type="submit" variant="primary">{t`Apply`}</Button>
        {isFiltered && <Button onClick={clear}>{t`Clear`}</Button>}
      </div>
    </form>
  )
}

interface EntriesProps {
  page: AuditPageData
  onPage: (page: number) => void
}

function Entries({ page: { items, page, pageSize, total, hasMore = false }, onPage }: EntriesProps) {
  const { t } = useLingui()
  const last = Math.max(1, Math.ceil(total / Math.max(1, pageSize)))
  if (items.length === 0 && page <= 1) {
    return (
      <StatePanel icon={<ScrollText size={20} />} title={t`No matches`}>
        <Trans>No entry matches the filter.</Trans>
      </StatePanel>
    )
  }
  const columns: readonly Column<AuditEntry>[] = [
    {
      id: 'time',
      label: t`Time`,
      render: ({ time }) =>
        time === undefined ? (
          ''
        ) : (
          <time className={styles.whole} dateTime={new Date(time).toISOString()}>
            {formatMoment(time)}
          </time>
        ),
    },
    { id: 'login', label: t`User`, render: (entry) => <User entry={entry} /> },
    { id: 'action', label: t`Action`, render: ({ action }) => <Action action={action} /> },
    { id: 'target', label: t`Object`, render: (entry) => <Target entry={entry} /> },
    { id: 'ip', label: t`Address`, render: ({ ip }) => <span className={styles.whole}>{ip}</span> },
    { id: 'outcome', label: t`Outcome`, render: (entry) => <Outcome entry={entry} /> },
    ...(items.some(({ node }) => node !== undefined)
      ? [{ id: 'node', label: t`Node`, render: ({ node = '' }: AuditEntry) => node }]
      : []),
  ]
  return (
    <>
      <Table label={t`Audit logs`} columns={columns} rows={items} keyOf={({ id }) => id} />
      <Pages page={page} last={last} hasMore={hasMore} onPage={onPage} />
    </>
  )
}
