import * as z from 'zod/mini'
import {
  Group,
  GroupBody,
  GroupPatch,
  GroupPermissions,
  GroupPermissionsBody,
  GroupsPage,
  GroupsQuery,
  StreamGroupPermissions,
  UserGroupPermissions,
} from '../../src/api/contract/groups.ts'
import { nothing } from '../../src/api/contract/wire.ts'
import type { ServerPlugin } from '../context.ts'
import { createGroupPermissions } from './group-permissions.ts'
import { createGroupStore, groupsPageSize } from './group-store.ts'

const tags = ['groups']
const config = { access: { to: 'administrator' } } as const
const Id = z.object({ id: z.string() })
const membersLimit = 4 * 1024 * 1024
const permissionsLimit = 1024 * 1024

/** Groups of users and of streams, for administrators. */
export const groupRoutes: ServerPlugin = (app, { store, accounts, features }) => {
  features.add('groups')
  const groups = createGroupStore(store)
  const permissions = createGroupPermissions(store, groups)

  app.get(
    '/v1/groups',
    { config, schema: { tags, querystring: GroupsQuery, response: { 200: GroupsPage } } },
    async ({ query }) => {
      const page = Math.max(1, query.page)
      return { ...(await groups.page(page)), page, pageSize: groupsPageSize }
    },
  )

  app.post(
    '/v1/groups',
    { config, bodyLimit: membersLimit, schema: { tags, body: GroupBody, response: { 200: Group } } },
    async ({ body }) => groups.add(body),
  )

  app.get('/v1/group/:id', { config, schema: { tags, params: Id, response: { 200: Group } } }, async ({ params }) =>
    groups.withMembers(await groups.get(params.id)),
  )

  app.patch(
    '/v1/group/:id',
    { config, bodyLimit: membersLimit, schema: { tags, params: Id, body: GroupPatch, response: { 200: Group } } },
    async ({ params, body }) => groups.change(params.id, body),
  )

  app.delete(
    '/v1/group/:id',
    { config, schema: { tags, params: Id, response: { 200: nothing } } },
    async ({ params }) => {
      await groups.remove(params.id)
      return {}
    },
  )

  app.get(
    '/v1/group/:id/permissions',
    { config, schema: { tags, params: Id, response: { 200: GroupPermissions } } },
    async ({ params }) => permissions.list(params.id),
  )

  app.put(
    '/v1/group/:id/permissions',
    {
      config,
      bodyLimit: permissionsLimit,
      schema: { tags, params: Id, body: GroupPermissionsBody, response: { 200: GroupPermissions } },
    },
    async ({ params, body }) => permissions.replace(params.id, body),
  )

  app.get(
    '/v1/user/:login/group-permissions',
    { config, schema: { tags, params: z.object({ login: z.string() }), response: { 200: UserGroupPermissions } } },
    async ({ params }) => permissions.ofUser((await accounts.get(params.login)).login),
  )

  app.get(
    '/v1/stream/:uid/group-permissions',
    {
      config: { access: { to: 'admin', from: 'params.uid' } },
      schema: { tags, params: z.object({ uid: z.string() }), response: { 200: StreamGroupPermissions } },
    },
    async ({ params }) => permissions.ofStream(params.uid),
  )
}
