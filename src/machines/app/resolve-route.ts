import type { AppContext } from './app.events.ts'
import { destinationHref } from './destination.ts'
import { isAbsent } from './open-pages.ts'
import { fill, pathTo, routeOf } from './routes.ts'

/**
 * What the current address means for the current visitor: a page, a redirect or an error. Checked in the order of
 * docs/behaviour.md §2 and §3: a locked server, then the right to enter, then the route.
 */
export type ResolvedRoute =
  | { kind: 'page' }
  | { kind: 'redirect'; href: string }
  | { kind: 'forbidden' }
  | { kind: 'missing' }

type RouteContext = Pick<
  AppContext,
  'route' | 'address' | 'user' | 'isLocked' | 'mustChangePassword' | 'isShared' | 'destination' | 'settings'
>

const redirect = (href: string): ResolvedRoute => ({ kind: 'redirect', href })

export function resolveRoute({
  route,
  address,
  user,
  isLocked,
  isShared,
  settings,
  ...rest
}: RouteContext): ResolvedRoute {
  const { entry, redirect: leadsTo } = routeOf(route.name)
  if (isLocked) return route.name === 'init' ? { kind: 'page' } : redirect(pathTo('init'))
  if (route.name === 'notFound') return { kind: 'missing' }
  if (route.name === 'init') return redirect(pathTo(user ? 'streams' : 'auth'))
  if (route.name === 'auth' && user) return redirect(afterSignIn({ ...rest, user }))
  if (entry !== 'anyone' && user === null && !(isShared && route.name === 'streamView')) return redirect(pathTo('auth'))
  if (entry !== 'anyone' && user?.mustChangePassword === true && route.name !== 'profileEdit')
    return redirect(pathTo('profileEdit'))
  const isPasswordDue = rest.mustChangePassword || user?.mustChangePassword === true
  if (entry !== 'anyone' && isFactorDue(user) && !isPasswordDue && route.name !== 'profileInfo')
    return redirect(pathTo('profileInfo'))
  if (isAbsent(route.name, settings)) return { kind: 'missing' }
  if (leadsTo !== undefined) return redirect(fill(leadsTo, route.params) + address.search)
  if (entry === 'admin' && user?.isAdmin !== true) return { kind: 'forbidden' }
  return { kind: 'page' }
}

export function redirectHref(context: RouteContext): string {
  const resolved = resolveRoute(context)
  return resolved.kind === 'redirect' ? resolved.href : context.address.pathname
}

/** The server requires a second factor, which this user hasn't set up yet. */
export const isFactorDue = (user: RouteContext['user']): boolean =>
  user?.isTotpRequired === true && user.hasTotp !== true

/**
 * Signing in leads to a required password change, else a required second factor, else the destination
 * (docs/behaviour.md §11).
 */
export function afterSignIn({
  mustChangePassword,
  user,
  destination,
}: Pick<RouteContext, 'mustChangePassword' | 'user' | 'destination'>): string {
  if (mustChangePassword) return pathTo('profileEdit')
  if (isFactorDue(user)) return pathTo('profileInfo')
  return destination === null ? pathTo('streams') : destinationHref(destination)
}
