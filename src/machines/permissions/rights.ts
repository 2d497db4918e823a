/** In rising order: each right includes those before it. */
export const rights = ['canView', 'canViewArchive', 'canAdmin'] as const
export type Right = (typeof rights)[number]

export const noRights: Readonly<Record<Right, boolean>> = { canView: false, canViewArchive: false, canAdmin: false }

/** Grants a right with all lower ones, or revokes it with all higher ones. */
export function withRight<Permission extends Record<Right, boolean>>(
  permission: Permission,
  right: Right,
  isGranted: boolean,
): Permission {
  const level = rights.indexOf(right)
  const changed = rights.filter((_, index) => (isGranted ? index <= level : index >= level))
  return { ...permission, ...Object.fromEntries(changed.map((each) => [each, isGranted])) }
}
