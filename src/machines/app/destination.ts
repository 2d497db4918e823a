import { type Params, type RouteName, pathTo, routes } from './routes.ts'

/** Where signing in leads: a route with its params, and the query and fragment that were in the address (spec.md §2, contract.md §1). */
export interface Destination {
  name: RouteName
  params: Params
  search: string
}

const passing: readonly RouteName[] = ['auth', 'recoverPassword', 'init', 'notFound']

/** Whether a route is worth coming back to. */
export const isDestination = (name: RouteName): boolean => !passing.includes(name)

export const destinationHref = ({ name, params, search }: Destination): string => pathTo(name, params) + search

/** Reads what was stored; anything that is not a destination is null. */
export function readDestination(stored: unknown): Destination | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { name, params, search } = { name: '', params: {}, search: '', ...stored }
  if (!Object.hasOwn(routes, name) || typeof params !== 'object' || params === null) return null
  const known = Object.keys(routes).find((one): one is RouteName => one === name)
  if (known === undefined || !isDestination(known)) return null
  const texts = Object.entries(params).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return { name: known, params: Object.fromEntries(texts), search: typeof search === 'string' && search.startsWith('?') ? search : '' }
}
