import { Logs, LogsQuery } from '../../src/api/contract/stream.ts'
import type { ServerPlugin } from '../context.ts'

export const serverLogRoutes: ServerPlugin = (app, { serverLog }) => {
  app.get(
    '/v1/system/logs',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['system'], querystring: LogsQuery, response: { 200: Logs } },
    },
    async ({ query: { after } }) => ({ items: serverLog.read(after) }),
  )
}
