import { call, pathSegment } from '../call.ts'
import { validationError } from '../check.ts'
import { UserPermissions, UserPermissionsChanged } from '../contract/stream.ts'
import { User, UserBody, UserPatch, Users } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

const pathOf = (login: string) => `/v1/user/${pathSegment(login)}`

export const getUsers = (signal?: AbortSignal) => call(Users, { path: '/v1/users', signal })

export const getUser = (login: string, signal?: AbortSignal) => call(User, { path: pathOf(login), signal })

export const createUser = async (body: UserBody, signal?: AbortSignal) =>
  validationError(UserBody, body) ?? call(nothing, { path: '/v1/user', method: 'POST', body, signal })

export const patchUser = async (login: string, body: UserPatch, signal?: AbortSignal) =>
  validationError(UserPatch, body) ?? call(nothing, { path: pathOf(login), method: 'PATCH', body, signal })

export const deleteUser = (login: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(login), method: 'DELETE', signal })

export const blockUser = (login: string, signal?: AbortSignal) =>
  call(nothing, { path: `${pathOf(login)}/block`, method: 'POST', signal })

export const unblockUser = (login: string, signal?: AbortSignal) =>
  call(nothing, { path: `${pathOf(login)}/unblock`, method: 'POST', signal })

export const getUserPermissions = (login: string, signal?: AbortSignal) =>
  call(UserPermissions, { path: `${pathOf(login)}/permissions`, signal })

/** Replaces the whole list; the reply is the new list, or `{}`. */
export const setUserPermissions = (login: string, body: UserPermissions, signal?: AbortSignal) =>
  call(UserPermissionsChanged, { path: `${pathOf(login)}/permissions`, method: 'POST', body, signal })
