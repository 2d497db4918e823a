import { restorableOf } from '../form/draft.ts'
import { noRights, type Right, type Rights, rights } from './rights.ts'

interface WithPermissions<Permission> {
  permissions: readonly Permission[]
}

/** The browser may have stored anything. */
const isEntry = (one: unknown): boolean => typeof one === 'object' && one !== null

const isWithheld = ({ canDownload }: Rights): boolean => canDownload === false

/**
 * The draft rules of a form with permissions. Only the rights that differ from the saved ones are stored; they are
 * applied to what the server says when the draft is restored, so that nothing revoked meanwhile is granted again.
 */
export const rightsDraft = <Permission extends Rights>(keyOf: (permission: Permission) => string) => {
  const byKey = (list: readonly Permission[]) => new Map(list.map((one) => [keyOf(one), one]))
  return {
    draft: (
      { permissions }: Partial<WithPermissions<Permission>>,
      _facts: unknown,
      saved: WithPermissions<Permission>,
    ): object => {
      if (permissions === undefined) return {}
      const [before, now] = [byKey(saved.permissions), byKey(permissions)]
      const changed = [...new Map([...before, ...now])].flatMap(([key, one]) => {
        const [was, is]: [Rights, Rights] = [before.get(key) ?? noRights, now.get(key) ?? noRights]
        const canDownload = isWithheld(was) === isWithheld(is) ? undefined : !isWithheld(is)
        const kept = rights.map((right) => [right, was[right] === is[right] ? undefined : is[right]])
        const hasChanged = canDownload !== undefined || rights.some((right) => was[right] !== is[right])
        return hasChanged ? [{ ...one, ...Object.fromEntries(kept), canDownload }] : []
      })
      return { permissions: changed }
    },
    /** Grants no right whose lower ones were revoked meanwhile, and leaves out a changed permission without rights. */
    fromDraft: (stored: object, { permissions }: WithPermissions<Permission>): WithPermissions<Permission> => {
      const now = byKey(permissions)
      for (const one of (restorableOf(stored, { permissions }).permissions ?? []).filter(isEntry)) {
        const base: Permission = now.get(keyOf(one)) ?? { ...one, ...noRights, canDownload: undefined }
        const wanted = rights.map((right) => (typeof one[right] === 'boolean' ? one[right] : base[right]))
        // What the draft grants needs the lower rights; what it withdraws takes the higher ones along.
        const granted = rights.map((right, level): [Right, boolean] => {
          const lower = rights.slice(0, level)
          const isAllowed = one[right] !== true || wanted.slice(0, level).every(Boolean)
          return [right, wanted[level] === true && isAllowed && lower.every((each) => one[each] !== false)]
        })
        const next: Permission = { ...base, ...Object.fromEntries(granted) }
        const withholds = typeof one.canDownload === 'boolean' ? isWithheld(one) : isWithheld(base)
        const canDownload = withholds && next.canViewArchive && !next.canAdmin ? false : undefined
        if (granted.some(([, is]) => is)) now.set(keyOf(one), { ...next, canDownload })
        else now.delete(keyOf(one))
      }
      return { permissions: [...now.values()] }
    },
  }
}
