import * as z from 'zod/mini'
import {
  LeaseQuery,
  Logs,
  LogsQuery,
  PurgeQuery,
  Stream,
  StreamCreated,
  StreamBody,
  StreamPermissions,
  StreamPermissionsBody,
  StreamStatus,
  StreamsPage,
  StreamsQuery,
} from '../../src/api/contract/stream.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import { replaceStreamPermissions, streamPermissions } from '../access/permissions.ts'
import type { Caller } from '../access/access.ts'
import { newId } from '../access/secrets.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/fastify.ts'
import { notFound, quotaReached } from '../http/api-error.ts'
import { requireUnlocked } from '../archive/retention/locks.ts'
import { maskRoutes } from './mask-routes.ts'
import { shareRoutes } from './share-routes.ts'
import { pinOfBody } from './pinning.ts'
import type { Site } from './site.ts'
import { applyBody, withChanges } from './stream-body.ts'
import { lastRank } from './stream-order.ts'
import type { StreamRow } from './stream-store.ts'
import { streamViews } from './stream-view.ts'

const Uid = z.object({ uid: z.string() })
const pageSize = 50
const tags = ['streams']
const statusOrder = ['running', 'pending', 'failed', 'paused']

const emptyRow: Omit<StreamRow, 'uid' | 'owner' | 'createdAt'> = {
  name: '',
  source: '',
  tags: [],
  location: '',
  marker: '',
  isArchived: true,
  depthHours: -1,
  isOnDemand: false,
  isPaused: false,
  substreamSource: '',
  onvif: null,
  masks: [],
}

type ListOrder = Pick<z.output<typeof StreamsQuery>, 'groupType' | 'sortType'>

const sorted = (uids: string[], by: ListOrder, { store }: Site, statusOf: (uid: string) => string): string[] => {
  if (by.sortType === 'date' && by.groupType === 'none') return uids
  const keyed = uids.map((uid) => {
    const { byName, byTag } = store.ranksOf(uid)
    const [tag, status, name] = [
      by.groupType === 'tag' ? byTag : 0,
      by.sortType === 'status' ? statusOrder.indexOf(statusOf(uid)) : 0,
      by.sortType === 'date' ? 0 : byName,
    ]
    // One number as the key: comparing three for each of 10,000 streams is too slow.
    return { uid, key: (tag * statusOrder.length + status) * (lastRank + 1) + name }
  })
  return keyed.toSorted((a, b) => a.key - b.key).map(({ uid }) => uid)
}

export const streamRoutes = (app: App, context: ServerContext, site: Site): void => {
  const { store, settings, cluster, now } = context

  const get = (uid: string): StreamRow => {
    const row = site.store.find(uid)
    if (row === undefined) throw notFound()
    return row
  }
  const viewOf = async (caller: Caller, row: StreamRow): Promise<Stream> => {
    const [view] = await streamViews(context, site, caller, [row])
    if (view === undefined) throw notFound()
    return view
  }
  const statusOf = (uid: string): string => {
    const row = site.store.find(uid)
    return row === undefined ? 'pending' : site.status(row).status
  }

  context.features.add('download-right').add('archive-quota')

  app.get(
    '/v1/streams',
    { config: { access: { to: 'user' } }, schema: { tags, querystring: StreamsQuery, response: { 200: StreamsPage } } },
    async ({ query, caller }) => {
      const isOnlyAvailable = query.onlyAvailable ?? query.isOnlyAvailable ?? false
      const all = await site.store.list(caller, query.searchingValues)
      const listed = isOnlyAvailable ? all.filter((uid) => ['pending', 'running'].includes(statusOf(uid))) : all
      const page = Math.max(1, query.page)
      const shown = sorted(listed, query, site, statusOf).slice((page - 1) * pageSize, page * pageSize)
      const rows = shown.flatMap((uid) => site.store.find(uid) ?? [])
      const items = await streamViews(context, site, caller, rows)
      return { items, page, pageSize, total: listed.length }
    },
  )

  app.post(
    '/v1/stream',
    { config: { access: { to: 'creator' } }, schema: { tags, body: StreamBody, response: { 200: StreamCreated } } },
    async ({ body, caller }) => {
      if (caller.kind !== 'user') throw notFound()
      const { login, isAdmin, maxStreamCreation } = caller
      const pin = pinOfBody(cluster, body)
      const row = await applyBody(
        body,
        // Absent flags are false (docs/wire.md §1): a body that has `archive` says there whether it is recorded.
        { ...emptyRow, isArchived: body.archive === undefined, uid: newId(), owner: login, createdAt: now() },
        settings,
        site.allowLoopback,
      )
      await site.add(row, async () => {
        if (settings.streamsMax !== -1 && (await site.store.count()) >= settings.streamsMax) throw quotaReached()
        if (isAdmin || maxStreamCreation < 0) return
        if ((await site.store.countOwned(login)) >= maxStreamCreation) throw quotaReached()
      })
      if (typeof pin === 'string') await cluster.pin(row.uid, pin)
      return { uid: row.uid }
    },
  )

  app.get(
    '/v1/stream/:uid',
    {
      config: { access: { to: 'see', from: 'params.uid' } },
      schema: { tags, params: Uid, querystring: LeaseQuery, response: { 200: Stream } },
    },
    async ({ params, query, caller }) => {
      const row = get(params.uid)
      if (query.extend_lease === true) {
        await context.access.require(caller, { to: 'view', uid: row.uid })
        context.streams.extendLease(row.uid)
      }
      return viewOf(caller, row)
    },
  )

  app.put(
    '/v1/stream/:uid',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags, params: Uid, body: StreamBody, response: { 200: Stream } },
    },
    async ({ params, body, caller }) => {
      const pin = pinOfBody(cluster, body, params.uid)
      const before = await site.store.stored(params.uid)
      if (before === undefined) throw notFound()
      const row = await applyBody(body, before, settings, site.allowLoopback)
      await site.change(params.uid, (stored) => withChanges(stored, before, row))
      if (pin !== undefined) await cluster.pin(params.uid, pin)
      return viewOf(caller, get(params.uid))
    },
  )

  app.delete(
    '/v1/stream/:uid',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags, params: Uid, querystring: PurgeQuery, response: { 200: nothing } },
    },
    async ({ params, query }) => {
      const { uid } = get(params.uid)
      const isPurged = query.purge === true
      const check = async (): Promise<void> => {
        if (isPurged && query.unlock !== true) await requireUnlocked(site, uid)
      }
      await check()
      // A range may be locked while the stream stops.
      await site.remove(uid, isPurged, check)
      return {}
    },
  )

  for (const [action, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    app.post(
      `/v1/stream/${action}/:uid`,
      {
        config: { access: { to: 'admin', from: 'params.uid' } },
        schema: { tags, params: Uid, response: { 200: StreamStatus } },
      },
      async ({ params }) => {
        const row = await site.change(params.uid, (before) => ({ ...before, isPaused }))
        return { status: site.status(row).status }
      },
    )
  }

  app.get(
    '/v1/stream/:uid/logs',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags, params: Uid, querystring: LogsQuery, response: { 200: Logs } },
    },
    async ({ params, query }) => ({ items: await site.logs.read(params.uid, query.after) }),
  )

  shareRoutes(app, context)
  maskRoutes(app, context, site)

  app.get(
    '/v1/stream/:uid/permissions',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags, params: Uid, response: { 200: StreamPermissions } },
    },
    async ({ params }) => streamPermissions(store, params.uid),
  )

  app.post(
    '/v1/stream/:uid/permissions',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      bodyLimit: 1024 * 1024,
      schema: { tags, params: Uid, body: StreamPermissionsBody, response: { 200: StreamPermissions } },
    },
    async ({ params, body }) => replaceStreamPermissions(context, params.uid, body),
  )
}
