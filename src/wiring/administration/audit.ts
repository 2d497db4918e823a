import { fromPromise } from 'xstate'
import { saveText } from '../../api/browser/save-text.ts'
import type { AuditEntry } from '../../api/contract/system.ts'
import { type AuditFilter, getAuditLogs } from '../../api/resources/administration.ts'
import { auditMachine, auditSearch } from '../../machines/administration/administration.machines.ts'
import { auditCsv } from '../../machines/administration/audit-csv.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { AuditPage } from '../../views/administration/AuditPage.tsx'
import { definePage } from '../page.ts'
import { visibility } from '../shared/visibility.ts'
import { writeAddress } from '../shared/page-address.ts'

/** More pages than any server has, at 50 entries each. */
const maxPages = 10_000

/** Entries written meanwhile shift the pages, so entries are collected by their id. */
async function exportAll(filter: AuditFilter, signal: AbortSignal) {
  const entries = new Map<string, AuditEntry>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getAuditLogs({ ...filter, page }, signal)
    if (!reply.ok) return reply
    const { items, pageSize, total, hasMore = false } = reply.value
    for (const entry of items) entries.set(entry.id, entry)
    if (items.length === 0 || (page * pageSize >= total && !hasMore)) break
  }
  saveText('audit-log.csv', 'text/csv', auditCsv([...entries.values()]))
  return { ok: true as const, value: null, retryAfterSeconds: null }
}

export const page = definePage({
  logic: auditMachine.provide({
    actors: {
      fetchResource: fromPromise(({ input, signal }) => getAuditLogs(input.query, signal)),
      perform: fromPromise(({ input: { command }, signal }) => exportAll(command.filter, signal)),
      visibility,
    },
    actions: {
      writeQuery: ({ system }, { query }) =>
        writeAddress(system, pathTo('auditLogs') + auditSearch(query), { replace: true }),
    },
  }),
  View: AuditPage,
})
