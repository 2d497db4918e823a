import { fromPromise } from 'xstate'
import { saveText } from '../../api/browser/save-text.ts'
import { mapReply } from '../../api/map-reply.ts'
import { type AuditFilter, getAuditLogs } from '../../api/resources/administration.ts'
import { auditMachine, auditSearch, withLengths } from '../../machines/administration/administration.machines.ts'
import { auditCsv } from '../../machines/administration/audit-csv.ts'
import { pathTo } from '../../machines/app/routes.ts'
import { AuditPage } from '../../views/administration/AuditPage.tsx'
import { definePage } from '../page.ts'
import { allPages } from '../shared/all-pages.ts'
import { visibility } from '../shared/visibility.ts'
import { writeAddress } from '../shared/page-address.ts'

/** More pages than any server has, at 50 entries each. */
const maxPages = 10_000

async function exportAll(filter: AuditFilter, signal: AbortSignal) {
  const reply = await allPages((page) => getAuditLogs({ ...filter, page }, signal), { idOf: ({ id }) => id, maxPages })
  return mapReply(reply, ({ items }) => {
    saveText('audit-log.csv', 'text/csv', auditCsv(items))
    return null
  })
}

export const page = definePage({
  logic: auditMachine.provide({
    actors: {
      fetchResource: fromPromise(async ({ input: { query }, signal }) =>
        mapReply(await getAuditLogs(query, signal), (answer) => withLengths(answer, query.page)),
      ),
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
