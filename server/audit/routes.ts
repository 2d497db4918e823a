import * as z from 'zod/mini'
import { AuditPage, AuditQuery } from '../../src/api/contract/system.ts'
import type { Room } from '../context.ts'
import { auditLogsDisabled } from '../http/api-error.ts'
import { query, ignoreDiskError } from '../store/database.ts'
import { auditPageSize, type EntryPage } from './entries.ts'

const isOfStream = /^(?:stream|archive)\.|^bookmark\.create$/
const isOfMosaic = /^mosaic\./

type Listed = EntryPage['items'][number]

export const auditRoutes: Room = (app, context) => {
  const { audit, configuration, db, people, settings, features } = context
  const mosaics = query(db, z.object({ name: z.string() }), 'SELECT name FROM mosaics WHERE id = ?')
  const users = query(db, z.object({ login: z.string() }), 'SELECT login FROM users WHERE id = ?')
  let isStart = true
  configuration.watch((values) => {
    const { isEnabled } = values.audit
    if (isEnabled) features.add('audit')
    else features.delete('audit')
    ignoreDiskError(() => audit.noteState(isEnabled, isStart))
    isStart = false
  })

  app.get(
    '/v1/admin/audit-logs',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['administration'], querystring: AuditQuery, response: { 200: AuditPage } },
    },
    async ({ query: { page: asked, ...filter }, caller }) => {
      if (!settings.isAudited) throw auditLogsDisabled()
      const page = Math.max(1, asked)
      const loginNow = (id: string | null): string | undefined => (id === null ? undefined : users.get(id)?.login)
      const nameOf = ({ action, target, targetId }: Listed): string => {
        if (isOfMosaic.test(action)) return mosaics.get(target)?.name ?? ''
        if (isOfStream.test(action)) return context.streams.view(caller, target.split(' ')[0] ?? '')?.name ?? ''
        const now = loginNow(targetId) ?? target
        return action.startsWith('user.') && now !== target ? now : ''
      }
      const answerOf = (listed: Listed) => {
        const { details, userId, targetId, endTime, times, bytes, ...rest } = listed
        const userName = loginNow(userId)
        return {
          ...rest,
          name: nameOf(listed),
          ...details,
          ...(userId === null ? {} : { userId }),
          ...(userName === undefined || userName === rest.login ? {} : { userName }),
          ...(targetId === null ? {} : { targetId }),
          ...(endTime === null ? {} : { endTime }),
          ...(times === 1 ? {} : { times }),
          ...(bytes === null ? {} : { bytes }),
        }
      }
      const loginId = filter.login === undefined ? undefined : people.find(filter.login)?.id
      const { items, total, hasMore } = audit.read({ ...filter, loginId }, page)
      return { items: items.map(answerOf), total, page, pageSize: auditPageSize, ...(hasMore ? { hasMore } : {}) }
    },
  )
}
