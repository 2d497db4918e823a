/** In rising order: each right includes those before it. */
export const rights = ['canView', 'canViewArchive', 'canAdmin'] as const
type Level = (typeof rights)[number]
/** `canDownload` restricts `canViewArchive` where it is false (docs/wire.md §6.9). */
export type Right = Level | 'canDownload'
export type Rights = Readonly<Record<Level, boolean>> & { readonly canDownload?: boolean | undefined }

export const noRights: Readonly<Record<Level, boolean>> = { canView: false, canViewArchive: false, canAdmin: false }

/** The rights that a server with these features knows, in the order of their columns. */
export const rightsOf = (features: readonly string[]): readonly Right[] =>
  features.includes('download-right') ? ['canView', 'canViewArchive', 'canDownload', 'canAdmin'] : rights

export const hasRight = (permission: Rights, right: Right): boolean =>
  right === 'canDownload' ? permission.canViewArchive && permission.canDownload !== false : permission[right]

/** Grants a right with all lower ones, or revokes it with all higher ones. */
export function withRight<Permission extends Rights>(
  permission: Permission,
  right: Right,
  isGranted: boolean,
): Permission {
  const withholds = right === 'canDownload' && !isGranted
  const level = rights.indexOf(right === 'canDownload' ? (isGranted ? 'canViewArchive' : 'canAdmin') : right)
  const changed = rights.filter((_, index) => (isGranted ? index <= level : index >= level))
  const next = { ...permission, ...Object.fromEntries(changed.map((each) => [each, isGranted])) }
  if (withholds) return next.canViewArchive ? { ...next, canDownload: false } : next
  // A restriction stays with the archive that it restricts.
  const isKept = right !== 'canDownload' && next.canViewArchive && !next.canAdmin
  return next.canDownload === undefined || isKept ? next : { ...next, canDownload: undefined }
}
