import { type FormEvent, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download, ScrollText } from 'lucide-react'
import type { ActorRefFrom } from 'xstate'
import type { AuditEntry, AuditPage as AuditPageData } from '../../api/contract/system.ts'
import type { AuditFilter } from '../../api/resources/administration.ts'
import { formatDateTime } from '../../i18n/formats.ts'
import type { auditMachine } from '../../machines/administration/administration.machines.ts'
import { useConsole } from '../app/console.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { type Column, Table } from '../ui/Table.tsx'
import { auditCsv } from './audit-csv.ts'
import styles from './Administration.module.css'

export function AuditPage({ actor }: { actor: ActorRefFrom<typeof auditMachine> }) {
  const { t } = useLingui()
  const { saveText } = useConsole()
  const { value, refusal, query } = useSelector(actor, ({ context }) => context)
  const ask = (change: Partial<AuditFilter>) => actor.send({ type: 'query.changed', query: { ...query, page: 1, ...change } })
  return (
    <Page
      title={t`Audit logs`}
      note={value !== null && <Plural value={value.total} one="# entry" other="# entries" />}
      actions={
        value !== null && (
          <Button icon={<Download size={16} aria-hidden="true" />} onClick={() => saveText('audit-log.csv', 'text/csv', auditCsv(value.items))}>
            {t`Download as CSV`}
          </Button>
        )
      }
    >
      <Filter query={query} onAsk={ask} />
      <Resource value={value} refusal={refusal} onRetry={() => actor.send({ type: 'resource.retried' })}>
        {(page) => <Entries page={page} onPage={(number) => actor.send({ type: 'query.changed', query: { ...query, page: number } })} />}
      </Resource>
    </Page>
  )
}

function Filter({ query, onAsk }: { query: AuditFilter; onAsk: (change: Partial<AuditFilter>) => void }) {
  const { t } = useLingui()
  const [draft, setDraft] = useState({ login: query.login, action: query.action, from: localOf(query.from), to: localOf(query.to) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk({ login: draft.login.trim(), action: draft.action.trim(), from: momentOf(draft.from), to: momentOf(draft.to) })
  }
  const edit = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  return (
    <form className={styles.filter} onSubmit={submit} role="search" aria-label={t`Audit logs`}>
      <TextField label={t`From`} type="datetime-local" {...edit('from')} />
      <TextField label={t`To`} type="datetime-local" {...edit('to')} />
      <TextField label={t`Login`} {...edit('login')} />
      <TextField label={t`Action`} {...edit('action')} />
      <Button type="submit" variant="primary">{t`Apply`}</Button>
    </form>
  )
}

function Entries({ page: { items, page, pageSize, total }, onPage }: { page: AuditPageData; onPage: (page: number) => void }) {
  const { t } = useLingui()
  const last = Math.max(1, Math.ceil(total / Math.max(1, pageSize)))
  if (items.length === 0) {
    return (
      <StatePanel icon={<ScrollText size={20} />} title={t`Nothing found`}>
        <Trans>No entry fits the filter.</Trans>
      </StatePanel>
    )
  }
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'time', label: t`Time`, render: ({ time }) => (time === undefined ? '' : <time dateTime={new Date(time).toISOString()}>{formatDateTime(time)}</time>) },
    { id: 'login', label: t`User`, render: ({ login }) => login },
    { id: 'action', label: t`Action`, render: ({ action }) => <code>{action}</code> },
    { id: 'target', label: t`Object`, render: ({ target }) => target },
    { id: 'ip', label: t`Address`, render: ({ ip }) => ip },
    { id: 'outcome', label: t`Outcome`, render: ({ outcome }) => outcome },
  ]
  return (
    <>
      <Table label={t`Audit logs`} columns={columns} rows={items} keyOf={({ id }) => id} />
      <nav className={styles.pages} aria-label={t`Pages`}>
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>{t`Newer`}</Button>
        <span>
          <Trans>
            Page {page} of {last}
          </Trans>
        </span>
        <Button disabled={page >= last} onClick={() => onPage(page + 1)}>{t`Older`}</Button>
      </nav>
    </>
  )
}

function momentOf(local: string): number | null {
  const at = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(at) ? null : at
}

/** A moment as a local date and time field has it. */
function localOf(epochMs: number | null): string {
  if (epochMs === null) return ''
  const local = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
