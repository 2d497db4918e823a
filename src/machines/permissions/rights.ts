/** From the least to the most: each includes those before it. */
export const rights = ['canView', 'canViewArchive', 'canAdmin'] as const
export type Right = (typeof rights)[number]

export const noRights: Readonly<Record<Right, boolean>> = { canView: false, canViewArchive: false, canAdmin: false }

/** A permission with one right given, and those below it, or taken, and those above it. */
export function withRight<Permission extends Record<Right, boolean>>(
  permission: Permission,
  right: Right,
  isGiven: boolean,
): Permission {
  const level = rights.indexOf(right)
  const changed = rights.filter((_, at) => (isGiven ? at <= level : at >= level))
  return { ...permission, ...Object.fromEntries(changed.map((each) => [each, isGiven])) }
}
