import type { Settings } from '../../api/contract/settings.ts'
import type { User } from '../../api/contract/user.ts'
import type { Subject } from './app.events.ts'
import { type Params, type RouteName, routeNames, routeOf } from './routes.ts'

interface Visitor {
  user: User | null
  settings: Pick<Settings, 'clusterEnabled' | 'features'>
  isTunnelEnabled: boolean
  subject: Subject | null
}

/** Pages that this visitor can't open now; their tabs are disabled (docs/behaviour.md §4.1, toolbar). */
export function closedPages({
  user,
  settings,
  isTunnelEnabled,
  subject,
}: Visitor): Partial<Record<RouteName, boolean>> {
  const canAdmin = user?.isAdmin === true || subject?.canAdmin === true
  return {
    streamSettings: !canAdmin,
    streamMasks: !canAdmin,
    streamPermissions: !canAdmin,
    streamDebug: !canAdmin,
    mosaicEdit: subject?.canAdmin !== true,
    cluster: !settings.clusterEnabled,
    tunnel: !isTunnelEnabled,
    addStream: user === null || (!user.isAdmin && user.maxStreamCreation === 0),
  }
}

/** The licence is valid and has the feature (docs/behaviour.md §1). */
export const isTunnelEnabled = ({ isLicenseExpired, features }: Pick<Settings, 'isLicenseExpired' | 'features'>) =>
  !isLicenseExpired && features.includes('tunnel')

/** The server lacks the page's feature, so there is no tab for it. */
export const isAbsent = (name: RouteName, { features }: Pick<Settings, 'features'>): boolean => {
  const { feature } = routeOf(name)
  return feature !== undefined && !features.includes(feature)
}

/** The pages that the command palette offers: those whose parameters `params` has. */
export function openPages(visitor: Visitor, params: Params): RouteName[] {
  const closed = closedPages(visitor)
  return routeNames.filter((name) => {
    const { entry, path, redirect, header } = routeOf(name)
    const placeholders = path.match(/:[a-z]+/gi) ?? []
    if (isAbsent(name, visitor.settings)) return false
    if (redirect !== undefined || header === 'none' || name === 'swagger' || closed[name] === true) return false
    if (entry === 'admin' && visitor.user?.isAdmin !== true) return false
    return placeholders.every((param) => params[param.slice(1)] !== undefined)
  })
}
