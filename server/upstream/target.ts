import { isUtf8 } from 'node:buffer'

/** More rounds of percent-encoding than any client needs. */
const maxRounds = 3

const decodedBytes = (path: string): string =>
  path.replace(/%([\da-f]{2})/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const isControl = (character: string): boolean => character < ' ' || character === '\x7f'

/** Some server resolves them elsewhere: dot segments, empty segments, backslashes, control characters. */
const leadsAway = (path: string): boolean =>
  /\\|\/\//.test(path) ||
  [...path].some(isControl) ||
  path.split('/').some((segment) => /^\.{1,2}(?:;|$)/.test(segment))

/** Whether a target stays under /v1/ for any server: they differ in decoding and in removing dot segments. */
export const isForwardable = (target: string): boolean => {
  let [path = ''] = target.split('?', 1)
  if (!path.startsWith('/v1/') || target.includes('#')) return false
  if (!isUtf8(Buffer.from(decodedBytes(path), 'latin1'))) return false
  for (let round = 0; round <= maxRounds; round += 1) {
    if (leadsAway(path)) return false
    const decoded = decodedBytes(path)
    if (decoded === path) return true
    path = decoded
  }
  return false
}
