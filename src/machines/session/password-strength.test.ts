import { expect, test } from 'vitest'
import { passwordVerdict } from './password-strength.ts'

test.each([
  ['short', 'tooShort'],
  ['пароль', 'tooShort'],
  ['x1'.repeat(129), 'tooLong'],
  ['\u0301\u0316'.repeat(513), 'tooLong'],
  ['aaaabbbb', 'tooUniform'],
  ['Ann.Somebody', 'sameAsLogin'],
  ['ann.somebody1', 'guessable'],
  ['password123', 'guessable'],
  ['Qwerty12345', 'guessable'],
  ['йцукенгшщ', 'guessable'],
  ['nomorexy', 'weak'],
  ['Tulip-58x', 'good'],
  ['nomorexyzab', 'good'],
  ['Tulip-58xQz!', 'strong'],
  ['correct horse battery', 'strong'],
  ['ababababababababababcd', 'weak'],
])('%s is %s', (password, verdict) => {
  expect(passwordVerdict(password, 'ann.somebody')).toBe(verdict)
})
