import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordIsNotComplexEnough, unavailable } from '../http/refusal.ts'

const derive = promisify(argon2)
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
const atOnce = 2
const queueLimit = 64

let running = 0
const waiting: (() => void)[] = []

/** Each derivation holds 19 MiB and a thread, so only two run at once and a long queue is refused (503). */
const hash = async (password: string, nonce: Buffer): Promise<Buffer> => {
  if (running >= atOnce) {
    if (waiting.length >= queueLimit) throw unavailable(5)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running += 1
  try {
    return await derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce })
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

/** argon2id (t=2, m=19 MiB, p=1), written in the PHC form. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await hash(password, nonce)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`
}

/** Against an empty hash (an unknown login) it takes as long and answers false. */
export const verifyPassword = async (password: string, passwordHash: string): Promise<boolean> => {
  const [, , , , nonce = '', tag = ''] = passwordHash.split('$')
  const expected = tag === '' ? randomBytes(cost.tagLength) : Buffer.from(tag, 'base64')
  const actual = await hash(password, nonce === '' ? randomBytes(16) : Buffer.from(nonce, 'base64'))
  return actual.length === expected.length && timingSafeEqual(actual, expected) && tag !== ''
}

const common = new Set([
  'password', 'passw0rd', 'p@ssw0rd', 'password1', 'password12', 'password123', '12345678', '123456789', '1234567890',
  '87654321', '987654321', '11223344', '123123123', '12341234', 'qwertyui', 'qwertyuiop', 'qwerty12', 'qwerty123',
  'qwerty1234', '1q2w3e4r', '1q2w3e4r5t', '1qaz2wsx', 'qazwsxedc', 'asdfghjk', 'asdfghjkl', 'zxcvbnm1', 'abcd1234',
  'abc12345', 'abcdefgh', 'iloveyou', 'sunshine', 'princess', 'football', 'baseball', 'superman', 'starwars',
  'trustno1', 'whatever', 'computer', 'internet', 'changeme', 'letmein1', 'welcome1', 'welcome123', 'admin123',
  'admin1234', 'administrator', 'administrator1', 'master123', 'monkey123', 'dragon123', 'michelle', 'jennifer',
  'пароль12', 'парольпароль', 'йцукенгш', 'йцукенгшщ',
])

/** Length and guessability count, not classes of characters (ASVS 5, 6.2). Throws PasswordIsNotComplexEnough with the reason. */
export const requireComplexity = (password: string, login: string): void => {
  const lower = password.normalize('NFC').toLowerCase()
  const length = [...lower].length
  if (length < 8) throw passwordIsNotComplexEnough('tooShort', 'At least 8 characters')
  if (length > 256) throw passwordIsNotComplexEnough('tooLong', 'At most 256 characters')
  if (new Set(lower).size < 4) throw passwordIsNotComplexEnough('tooUniform', 'Too few different characters')
  if (common.has(lower)) throw passwordIsNotComplexEnough('tooCommon', 'This password is among the most used ones')
  if (lower === login.toLowerCase()) throw passwordIsNotComplexEnough('sameAsLogin', 'The password must differ from the login')
}
