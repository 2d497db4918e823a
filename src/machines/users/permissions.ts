import type { UserPermissions } from '../../api/contract/stream.ts'
import { noRights, type Right, rights, withRight } from '../permissions/rights.ts'

export type Permission = UserPermissions['permissions'][number]
export interface NamedStream {
  uid: string
  name: string
}

/** Grants or revokes a right on streams. Streams without a permission are added when a right is granted. */
export function withRights(
  list: readonly Permission[],
  streams: readonly NamedStream[],
  right: Right,
  isGranted: boolean,
): readonly Permission[] {
  const changedUids = new Set(streams.map(({ uid }) => uid))
  const listedUids = new Set(list.map(({ uid }) => uid))
  const change = (permission: Permission): Permission => withRight(permission, right, isGranted)
  const added = isGranted ? streams.filter(({ uid }) => !listedUids.has(uid)) : []
  return [
    ...list.map((permission) => (changedUids.has(permission.uid) ? change(permission) : permission)),
    ...added.map(({ uid, name }) => change({ uid, name, ...noRights })),
  ]
}

/** The permission on a stream; without rights if the list has none. */
export const permissionOf = (listed: ReadonlyMap<string, Permission>, { uid, name }: NamedStream): Permission => {
  const permission = listed.get(uid)
  return permission === undefined ? { uid, name, ...noRights } : { ...permission, name: permission.name || name }
}

/** The permissions with a right whose stream's name contains the text, sorted by name. */
export function grantedOnly(permissions: readonly Permission[], searched: string): readonly Permission[] {
  const part = searched.trim().toLowerCase()
  return permissions
    .filter((one) => rights.some((right) => one[right]) && (one.name || one.uid).toLowerCase().includes(part))
    .toSorted(
      (one, other) => collator.compare(one.name || one.uid, other.name || other.uid) || (one.uid < other.uid ? -1 : 1),
    )
}

const collator = new Intl.Collator(undefined, { numeric: true })
