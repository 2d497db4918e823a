import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { passwordIsNotComplexEnough, unavailable } from '../http/api-error.ts'

const derive = promisify(argon2)
const tagBytes = 32
const saltBytes = 16
/** `memory` in KiB. */
type Argon2Cost = { readonly parallelism: number; readonly memory: number; readonly passes: number }
const cost: Argon2Cost = { parallelism: 1, memory: 19_456, passes: 2 }
/** One core is left to video and to other requests. */
const maxRunning = availableParallelism() > 2 ? 2 : 1
const maxQueued = 64
/** UTF-16 units of a password before it is normalized. */
const maxUnits = 1024

const isTooLong = (password: string): boolean => password.length > maxUnits
const tooLong = () => passwordIsNotComplexEnough('tooLong', 'At most 256 characters')

/** The form in which passwords are compared. Long text is refused first, as normalizing it takes quadratic time. */
const normalized = (password: string): string => {
  if (isTooLong(password)) throw tooLong()
  return password.normalize('NFC')
}

/** Compares two passwords in normalized form; false if one is too long. */
export const isSamePassword = (one: string, other: string): boolean =>
  !isTooLong(one) && !isTooLong(other) && normalized(one) === normalized(other)

let running = 0
/** Callers who wait for their turn, the longest first. */
const waiting = { trusted: [] as (() => void)[], others: [] as (() => void)[] }

/**
 * Takes 19 MiB and a thread: one or two run at once, others wait, and too many get 503. Trusted callers always go
 * first.
 */
const hash = async (
  password: string,
  salt: Buffer,
  isTrusted: boolean,
  parameters: Argon2Cost = cost,
): Promise<Buffer> => {
  const message = normalized(password)
  if (running >= maxRunning) {
    if (waiting.trusted.length + waiting.others.length >= maxQueued && !isTrusted) throw unavailable(5)
    await new Promise<void>((resolve) => void (isTrusted ? waiting.trusted : waiting.others).push(resolve))
  }
  running += 1
  try {
    return await derive('argon2id', { ...parameters, tagLength: tagBytes, message, nonce: salt })
  } finally {
    running -= 1
    const next = waiting.trusted.shift() ?? waiting.others.shift()
    next?.()
  }
}

/** The PHC form of a hash: algorithm, version, cost, salt and tag. */
const phcOf = ({ memory, passes, parallelism }: Argon2Cost, salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt.toString('base64')}$${tag.toString('base64')}`

/** argon2id (t=2, m=19 MiB, p=1) in PHC form. Throws PasswordIsNotComplexEnough if too long. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes)
  const tag = await hash(password, salt, true)
  return phcOf(cost, salt, tag)
}

/** The cost of a PHC string: hashes of earlier releases may have another one. */
const costOf = (parameters: string): Argon2Cost => {
  const [, memory, passes, parallelism] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(parameters) ?? []
  if (memory === undefined) return cost
  return { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
}

/** Takes the same time for an empty hash (unknown login). `isTrusted`: signed in, or from a known host of the login. */
export const verifyPassword = async (password: string, passwordHash: string, isTrusted: boolean): Promise<boolean> => {
  if (isTooLong(password)) return false
  const [, , , parameters = '', saltText = '', tag = ''] = passwordHash.split('$')
  const expected = tag === '' ? randomBytes(tagBytes) : Buffer.from(tag, 'base64')
  const salt = saltText === '' ? randomBytes(saltBytes) : Buffer.from(saltText, 'base64')
  const actual = await hash(password, salt, isTrusted, costOf(parameters))
  return actual.length === expected.length && timingSafeEqual(actual, expected) && tag !== ''
}

/** 11,611 of the 30,000 most used passwords of leaked collections (docs/security.md), and some that they lack. */
const common = new Set([
  ...readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .trimEnd()
    .split('\n'),
  'пароль12',
  'парольпароль',
  'йцукенгш',
  'йцукенгшщ',
  'qwertyuiop[]',
  'changeme',
  'letmein1',
  'welcome123',
  'admin123',
  'administrator1',
])

/** Words that are easy to guess here, besides those of the user and the title (ASVS 5, 6.1.2). */
const contextWords = [
  'sightline',
  'camera',
  'cameras',
  'video',
  'stream',
  'streams',
  'surveillance',
  'admin',
  'administrator',
  'password',
  'камера',
  'видео',
  'видеонаблюдение',
  'админ',
  'администратор',
  'пароль',
]
/** A password with so many characters other than letters isn't refused for its words. */
const minOtherCharacters = 8
/** The text of each field whose words are looked up, in UTF-16 units. */
const maxContextLength = 320

export type PasswordContext = {
  login: string
  email?: string | undefined
  fullName?: string | undefined
  title?: string | undefined
}

const wordsOfContext = ({ login, email = '', fullName = '', title = '' }: PasswordContext): string[] =>
  [login, email, fullName, title]
    .map((text) => text.slice(0, maxContextLength).toLowerCase())
    .flatMap((text) => text.match(/\p{L}{3,}/gu) ?? [])

/** Whether a text consists of the given words only. Visits each index once. */
const isMadeOf = (letters: string, words: readonly string[]): boolean => {
  const wordEnds = new Set([0])
  for (const index of wordEnds) {
    for (const word of words) if (letters.startsWith(word, index)) wordEnds.add(index + word.length)
  }
  return wordEnds.has(letters.length)
}

const isOfContext = (lower: string, context: PasswordContext): boolean => {
  const letters = lower.replaceAll(/[^\p{L}]/gu, '')
  if (letters === '' || [...lower].length - [...letters].length >= minOtherCharacters) return false
  return isMadeOf(letters, [...contextWords, ...wordsOfContext(context)])
}

/** Checks length and guessability (ASVS 5, 6.2). Throws PasswordIsNotComplexEnough with the reason. */
export const requireComplexity = (password: string, context: PasswordContext): void => {
  const lower = normalized(password).toLowerCase()
  const length = [...lower].length
  if (length < 8) throw passwordIsNotComplexEnough('tooShort', 'At least 8 characters')
  if (length > 256) throw tooLong()
  if (new Set(lower).size < 4) throw passwordIsNotComplexEnough('tooUniform', 'Too few different characters')
  if (common.has(lower)) throw passwordIsNotComplexEnough('tooCommon', 'This password is among the most used ones')
  if (lower === context.login.toLowerCase())
    throw passwordIsNotComplexEnough('sameAsLogin', 'The password must differ from the login')
  if (isOfContext(lower, context))
    throw passwordIsNotComplexEnough('tooObvious', 'The password is made of words that are easy to guess here')
}
