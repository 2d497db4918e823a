import { call, pathSegment } from '../call.ts'
import {
  Group,
  type GroupBody,
  type GroupPatch,
  GroupPermissions,
  GroupsPage,
  StreamGroupPermissions,
  UserGroupPermissions,
} from '../contract/groups.ts'
import { nothing } from '../contract/wire.ts'

const pathOf = (id: string) => `/v1/group/${pathSegment(id)}`

/** The calls of this file: only with the feature `groups`, by administrators; the last call, with `canAdmin`. */
export const getGroups = (page: number, signal?: AbortSignal) =>
  call(GroupsPage, { path: '/v1/groups', query: { page }, signal })

export const addGroup = (body: GroupBody, signal?: AbortSignal) =>
  call(Group, { path: '/v1/groups', method: 'POST', body, signal })

export const getGroup = (id: string, signal?: AbortSignal) => call(Group, { path: pathOf(id), signal })

export const changeGroup = (id: string, body: GroupPatch, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'PATCH', body, signal })

export const removeGroup = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'DELETE', signal })

export const getGroupPermissions = (id: string, signal?: AbortSignal) =>
  call(GroupPermissions, { path: `${pathOf(id)}/permissions`, signal })

/** Replaces the whole list; the reply is the new list. */
export const setGroupPermissions = (id: string, body: GroupPermissions, signal?: AbortSignal) =>
  call(GroupPermissions, { path: `${pathOf(id)}/permissions`, method: 'PUT', body, signal })

export const getUserGroupPermissions = (login: string, signal?: AbortSignal) =>
  call(UserGroupPermissions, { path: `/v1/user/${pathSegment(login)}/group-permissions`, signal })

export const getStreamGroupPermissions = (uid: string, signal?: AbortSignal) =>
  call(StreamGroupPermissions, { path: `/v1/stream/${pathSegment(uid)}/group-permissions`, signal })
