import * as z from 'zod/mini'
import { AuditPage, AuditQuery } from '../../src/api/contract/system.ts'
import type { Caller } from '../access/access.ts'
import type { ServerPlugin } from '../context.ts'
import { auditLogsDisabled } from '../http/api-error.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import { allOf } from '../store/store.ts'
import { auditPageSize, type EntryPage } from './entries.ts'

const streamActions = /^(?:stream|archive)\.|^camera\.(?:turn|.+-preset)$|^(?:bookmark|event)\.create$/
const mosaicActions = /^mosaic\./

const NameRow = z.object({ id: z.string(), name: z.string() })
/** The target of an archive entry is the stream's uid with the moments after it. */
const uidIn = (target: string): string => target.split(' ')[0] ?? ''

type Listed = EntryPage['items'][number]

export const auditRoutes: ServerPlugin = async (app, context) => {
  const { audit, configuration, store, backgroundWrites, accounts, settings, features } = context
  configuration.watch(({ audit: { isEnabled } }) => {
    if (isEnabled) features.add('audit')
    else features.delete('audit')
  })
  await ignoreDiskErrors(() => audit.recordState(configuration.values().audit.isEnabled, 'start'))
  configuration.watch(({ audit: { isEnabled } }) => backgroundWrites.add(() => audit.recordState(isEnabled, 'change')))

  const namesIn = async (
    sql: (placeholders: string) => string,
    ids: readonly string[],
  ): Promise<Map<string, string>> => {
    const rows = await allOf([...new Set(ids)], (some, placeholders) => store.all(NameRow, sql(placeholders), ...some))
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  /** The present names of mosaics, streams and users by their ids. */
  const namesOf = async (caller: Caller, items: readonly Listed[]) => {
    const targets = (of: RegExp) => items.filter(({ action }) => of.test(action)).map(({ target }) => target)
    const uids = targets(streamActions).map(uidIn)
    const userIds = items.flatMap(({ userId, targetId }) => [userId, targetId]).filter((id) => id !== null)
    return {
      mosaics: await namesIn(
        (placeholders) => `SELECT id, name FROM mosaics WHERE id IN (${placeholders})`,
        targets(mosaicActions),
      ),
      users: await namesIn(
        (placeholders) => `SELECT id, login AS name FROM users WHERE id IN (${placeholders})`,
        userIds,
      ),
      streams: new Map((await context.streams.view(caller, [...new Set(uids)])).map(({ uid, name }) => [uid, name])),
    }
  }

  app.get(
    '/v1/admin/audit-logs',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['administration'], querystring: AuditQuery, response: { 200: AuditPage } },
    },
    async ({ query: { page: asked, ...filter }, caller }) => {
      if (!settings.isAudited) throw auditLogsDisabled()
      const page = Math.max(1, asked)
      const loginId = filter.login === undefined ? undefined : (await accounts.find(filter.login))?.id
      const { items, total, hasMore } = await audit.read({ ...filter, loginId }, page)
      const known = await namesOf(caller, items)
      const loginNow = (id: string | null): string | undefined => (id === null ? undefined : known.users.get(id))
      const nameOf = ({ action, target, targetId }: Listed): string => {
        if (mosaicActions.test(action)) return known.mosaics.get(target) ?? ''
        if (streamActions.test(action)) return known.streams.get(uidIn(target)) ?? ''
        const now = loginNow(targetId) ?? target
        return action.startsWith('user.') && now !== target ? now : ''
      }
      const answerOf = (listed: Listed) => {
        const { details, userId, targetId, endTime, times, bytes, node, ...rest } = listed
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
          ...(node === '' ? {} : { node }),
        }
      }
      return { items: items.map(answerOf), total, page, pageSize: auditPageSize, ...(hasMore ? { hasMore } : {}) }
    },
  )
}
