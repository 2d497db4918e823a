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

/**
 * Entries written meanwhile shift the pages, so entries are collected by their id. From a server that doesn't report a
 * total, pages are fetched as long as they have other entries.
 */
async function exportAll(filter: AuditFilter, signal: AbortSignal) {
  let size = 0
  const entries = new Map<string, AuditEntry>()
  for (let page = 1; page <= maxPages; page += 1) {
    const reply = await getAuditLogs({ ...filter, page }, signal)
    if (!reply.ok) return reply
    const { items, total, hasMore = false } = reply.value
    const before = entries.size
    if (page === 1) size = items.length
    for (const entry of items) entries.set(entry.id, entry)
    const isLast = total > 0 ? page * size >= total && !hasMore : entries.size === before
    if (items.length === 0 || isLast) break
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
