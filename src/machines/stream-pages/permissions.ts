import type { StreamPermissions } from '../../api/contract/stream.ts'

export type Permission = StreamPermissions['permissions'][number]
export type Right = 'canView' | 'canViewArchive' | 'canAdmin'

/** From the least to the most: whoever has one has those before it. */
export const rights: readonly Right[] = ['canView', 'canViewArchive', 'canAdmin']

/** Giving a right gives those below it, taking one takes those above it. */
export function withRight(permission: Permission, right: Right, isGiven: boolean): Permission {
  const level = rights.indexOf(right)
  const changed = rights.filter((_, at) => (isGiven ? at <= level : at >= level))
  return { ...permission, ...Object.fromEntries(changed.map((each) => [each, isGiven])) }
}

export const byLogin = (one: Permission, other: Permission): number => one.login.localeCompare(other.login)
