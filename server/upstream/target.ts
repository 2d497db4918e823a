import { isUtf8 } from 'node:buffer'

/** More rounds of percent-encoding than anything sends by intent. */
const mostRounds = 3

const decodedBytes = (path: string): string =>
  path.replace(/%([\da-f]{2})/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const isControl = (character: string): boolean => character < ' ' || character === '\x7f'

/**
 * Leads out of its place for somebody: dot segments, those with a parameter too, empty segments, what some take for a
 * slash, control characters.
 */
const leadsAway = (path: string): boolean =>
  /\\|\/\//.test(path) ||
  [...path].some(isControl) ||
  path.split('/').some((segment) => /^\.{1,2}(?:;|$)/.test(segment))

/**
 * Whether a request's target is an address under /v1/ for this server and for any that reads it otherwise: servers
 * differ in what they decode, how often, and when they take out dot segments.
 */
export const isForwardable = (target: string): boolean => {
  let [path = ''] = target.split('?', 1)
  if (!path.startsWith('/v1/') || target.includes('#')) return false
  if (!isUtf8(Buffer.from(decodedBytes(path), 'latin1'))) return false
  for (let round = 0; round <= mostRounds; round += 1) {
    if (leadsAway(path)) return false
    const decoded = decodedBytes(path)
    if (decoded === path) return true
    path = decoded
  }
  return false
}
