import type { AppContext } from './app.events.ts'
import { type Destination, isDestination } from './destination.ts'
import { isFactorDue } from './resolve-route.ts'
import { pathTo } from './routes.ts'

type Update = Pick<AppContext, 'destination' | 'isDestinationUsed'>

const currentDestination = ({ route, address }: AppContext): Destination => ({
  name: route.name,
  params: route.params,
  search: address.search,
})

/** A new password or a second factor is due, and this page is for that: afterwards signing in goes on elsewhere. */
const isDuePage = ({ mustChangePassword, user, route }: AppContext): boolean =>
  (mustChangePassword && route.name === 'profileEdit') || (isFactorDue(user) && route.name === 'profileInfo')

const canBecomeDestination = (context: AppContext): boolean => isDestination(context.route.name) && !isDuePage(context)

/**
 * On each new path: it becomes the destination unless there is one already (docs/behaviour.md §3). The navigation that
 * leads to the destination clears it.
 */
export function afterNewPath(context: AppContext): Update {
  const { destination, isDestinationUsed } = context
  const next = destination ?? (canBecomeDestination(context) ? currentDestination(context) : null)
  return { destination: isDestinationUsed ? null : next, isDestinationUsed: false }
}

/**
 * After a 401 the current address becomes the destination (docs/behaviour.md §3). While a new password or a second
 * factor is due, an earlier destination stays.
 */
export function afterUnauthorized(context: AppContext): Update {
  const { destination, mustChangePassword, user } = context
  const mustStay = mustChangePassword || isFactorDue(user)
  const isKept = !canBecomeDestination(context) || (mustStay && destination !== null)
  return { destination: isKept ? destination : currentDestination(context), isDestinationUsed: false }
}

/**
 * When a navigation leads to the destination: it is cleared on arrival, or now if its page is the current one. It stays
 * while a new password or a second factor is due.
 */
export function afterUse({ destination, mustChangePassword, user, address }: AppContext): Partial<Update> {
  if (destination === null || mustChangePassword || isFactorDue(user)) return {}
  const isHere = pathTo(destination.name, destination.params) === address.pathname
  return isHere ? { destination: null } : { isDestinationUsed: true }
}
