import { type Params, type RouteName, matchRoute, pathTo, routeNames } from './routes.ts'

/** Where signing in leads: a route with its params, and the query that was in the address (docs/behaviour.md §3). */
export interface Destination {
  name: RouteName
  params: Params
  search: string
}

const noDestinations: readonly RouteName[] = ['auth', 'recoverPassword', 'init', 'notFound']

export const isDestination = (name: RouteName): boolean => !noDestinations.includes(name)

export const destinationHref = ({ name, params, search }: Destination): string => pathTo(name, params) + search

/** The stored destination; null if the value isn't one. Never throws. */
export function readDestination(stored: unknown): Destination | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { name, params, search } = { name: '', params: {}, search: '', ...stored }
  if (typeof params !== 'object' || params === null) return null
  const known = routeNames.find((one) => one === name)
  if (known === undefined || !isDestination(known)) return null
  const texts = Object.fromEntries(
    Object.entries(params).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
  if (matchRoute(pathTo(known, texts)).name !== known) return null
  return { name: known, params: texts, search: typeof search === 'string' && search.startsWith('?') ? search : '' }
}
