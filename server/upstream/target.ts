import { isUtf8 } from 'node:buffer'

/** More rounds of percent-encoding than any client needs. */
const maxRounds = 3

const decodedBytes = (path: string): string =>
  path.replace(/%([\da-f]{2})/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

const isControl = (character: string): boolean => character < ' ' || character === '\x7f'

/** Whether some servers resolve the path differently: dot or empty segments, backslashes, control characters. */
const isAmbiguous = (path: string): boolean =>
  /\\|\/\//.test(path) ||
  [...path].some(isControl) ||
  path.split('/').some((segment) => /^\.{1,2}(?:;|$)/.test(segment))

/** Whether a path stays under /v1/ for every server, as they decode and resolve paths differently. */
export const isForwardable = (target: string): boolean => {
  let [path = ''] = target.split('?', 1)
  if (!path.startsWith('/v1/') || target.includes('#')) return false
  if (!isUtf8(Buffer.from(decodedBytes(path), 'latin1'))) return false
  for (let round = 0; round <= maxRounds; round += 1) {
    if (isAmbiguous(path)) return false
    const decoded = decodedBytes(path)
    if (decoded === path) return true
    path = decoded
  }
  return false
}
