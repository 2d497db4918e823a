import type { StreamPermissions } from '../../api/contract/stream.ts'
import type { Reply } from '../../api/reply.ts'

export type Permission = StreamPermissions['permissions'][number]

export interface PermissionValues {
  uid: string
  permissions: readonly Permission[]
}

export const valuesOf = (uid: string, { permissions }: StreamPermissions): PermissionValues => ({
  uid,
  permissions: permissions.toSorted((one, other) => one.login.localeCompare(other.login)),
})

/** Joins the errors of single rows (`permissions.2.login`) into one of the whole list, which names the logins. */
export function withListError<T>(reply: Reply<T>, { permissions }: PermissionValues): Reply<T> {
  if (reply.ok || reply.apiError.code !== 'ValidationError') return reply
  const messages = Object.entries(reply.apiError.details).map(([path, message]) => {
    const login = permissions[Number(/^permissions\.(\d+)/.exec(path)?.[1] ?? -1)]?.login
    return login === undefined ? `${String(message)}` : `${login}: ${String(message)}`
  })
  return {
    ok: false,
    apiError: { ...reply.apiError, details: messages.length === 0 ? {} : { permissions: messages.join('; ') } },
  }
}
