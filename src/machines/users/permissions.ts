import type { UserPermissions } from '../../api/contract/stream.ts'

export type Permission = UserPermissions['permissions'][number]
export interface NamedStream {
  uid: string
  name: string
}

export const rights = ['canView', 'canViewArchive', 'canAdmin'] as const
export type Right = (typeof rights)[number]

/**
 * The list with one right of some streams given or taken: administering includes the archive, the archive includes
 * watching live. Streams that the list doesn't have yet are added once something is given.
 */
export function withRight(list: readonly Permission[], streams: readonly NamedStream[], right: Right, isGiven: boolean): readonly Permission[] {
  const touched = new Set(streams.map(({ uid }) => uid))
  const known = new Set(list.map(({ uid }) => uid))
  const level = rights.indexOf(right)
  const change = (permission: Permission): Permission => {
    const changed = rights.filter((_, at) => (isGiven ? at <= level : at >= level))
    return { ...permission, ...Object.fromEntries(changed.map((one) => [one, isGiven])) }
  }
  const added = isGiven ? streams.filter(({ uid }) => !known.has(uid)) : []
  return [
    ...list.map((permission) => (touched.has(permission.uid) ? change(permission) : permission)),
    ...added.map(({ uid, name }) => change({ uid, name, canView: false, canViewArchive: false, canAdmin: false })),
  ]
}

export interface PermissionRow extends Permission {
  isChosen: boolean
}

interface Shown {
  streams: readonly NamedStream[]
  permissions: readonly Permission[]
  chosen: ReadonlySet<string>
  query: string
  isGrantedOnly: boolean
}

/** One row for each stream that is known of or in the list, those that match the search, by name. */
export function permissionRows({ streams, permissions, chosen, query, isGrantedOnly }: Shown): readonly PermissionRow[] {
  const part = query.trim().toLowerCase()
  const names = new Map(streams.map(({ uid, name }) => [uid, name]))
  const listed = new Set(permissions.map(({ uid }) => uid))
  const others = isGrantedOnly ? [] : streams.filter(({ uid }) => !listed.has(uid))
  const all = [
    ...permissions.filter((one) => !isGrantedOnly || rights.some((right) => one[right])).map((one) => ({ ...one, name: one.name || (names.get(one.uid) ?? '') })),
    ...others.map(({ uid, name }) => ({ uid, name, canView: false, canViewArchive: false, canAdmin: false })),
  ]
  return all
    .filter(({ uid, name }) => part === '' || name.toLowerCase().includes(part) || uid.toLowerCase().includes(part))
    .map((one) => ({ ...one, isChosen: chosen.has(one.uid) }))
    .toSorted((one, other) => collator.compare(one.name || one.uid, other.name || other.uid) || (one.uid < other.uid ? -1 : 1))
}

const collator = new Intl.Collator(undefined, { numeric: true })
