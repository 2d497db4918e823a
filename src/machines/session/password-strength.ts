import type { PasswordFlaw } from '../../api/contract/api-error.ts'

/** Only the server knows the lists of common passwords and of words from the user's data and the deployment. */
type Flaw = Exclude<PasswordFlaw, 'tooCommon' | 'tooObvious'>
export type PasswordVerdict = Flaw | 'guessable' | 'weak' | 'good' | 'strong'

/** Sequences that attackers try first, on Latin and Cyrillic keyboards. */
const letterSequences = 'pass?w[o0]rd|qwert|asdf|zxcv|1q2w|letmein|welcome|admin|пароль|йцукен|фыва|abcd'
const digitSequences = '0123|1234|2345|3456|4567|5678|6789|9876|8765'
const commonSequences = new RegExp(`${letterSequences}|${digitSequences}`, 'gu')

/** UTF-16 code units: 256 characters never have more. Longer text isn't normalized, which would take too long. */
const maxUnits = 1024

/** A flaw is a reason for which the server refuses a password (docs/wire.md §2). */
export function passwordVerdict(password: string, login = ''): PasswordVerdict {
  if (password.length > maxUnits) return 'tooLong'
  const lower = password.normalize('NFC').toLowerCase()
  const name = login.trim().toLowerCase()
  const length = [...lower].length
  const distinct = new Set(lower).size
  if (length < 8) return 'tooShort'
  if (length > 256) return 'tooLong'
  if (distinct < 4) return 'tooUniform'
  if (lower === name) return 'sameAsLogin'
  const own = [...(name === '' ? lower : lower.replaceAll(name, '')).replaceAll(commonSequences, '')].length
  if (own < 8 && own < length) return 'guessable'
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const weight = Math.min(own, distinct * 2) + kinds
  if (weight >= 16) return 'strong'
  return weight >= 12 ? 'good' : 'weak'
}
