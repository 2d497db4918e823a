import { fromPromise } from 'xstate'
import { goTo } from '../api/browser/location.ts'
import { getAuditLogs } from '../api/resources/administration.ts'
import { auditMachine, auditSearch } from '../machines/administration/administration.machines.ts'
import { pathTo } from '../machines/app/routes.ts'
import { AuditPage } from '../views/administration/AuditPage.tsx'
import { definePage } from './page.ts'
import { visibility } from './visibility.ts'

export const page = definePage({
  logic: auditMachine.provide({
    actors: { fetchResource: fromPromise(({ input, signal }) => getAuditLogs(input.query, signal)), visibility },
    actions: { keepQuery: (_args, { query }) => goTo(pathTo('auditLogs') + auditSearch(query), { replace: true }) },
  }),
  View: AuditPage,
})
