import * as z from 'zod/mini'

/** Odd inputs by a seed: valid ones at the limits of a schema, and invalid ones. */

export type Dice = {
  /** From 0 to below `count`. */
  below: (count: number) => number
  /** True once in `every` throws, on average. */
  onceIn: (every: number) => boolean
  pick: <T>(from: readonly [T, ...T[]]) => T
}

/** Random numbers, the same for the same seed (mulberry32). */
export const createDice = (seed: number): Dice => {
  let state = seed
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }
  return { below, onceIn: (every) => below(every) === 0, pick: (from) => from.at(below(from.length)) ?? from[0] }
}

type Texts = readonly [string, ...string[]]

/** Usual values by field name, so that odd inputs pass the first checks. */
export type Known = Readonly<Record<string, Texts>>

const moments: Texts = [
  '2026-11-21T07:00:00.000Z',
  '2026-11-21T07:00:30.500Z',
  '2026-11-21T07:01:00Z',
  '2026-11-21T12:00:00.000+05:00',
  '2026-10-25T02:30:00+02:00',
  '1970-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-23:59',
  '2024-02-29T00:00:00Z',
]

const words: Texts = [
  'Door',
  'x',
  '*',
  'a b',
  'дверь',
  '门',
  'e\u0301',
  'x\u202Eexe.gpj',
  '👩‍👩‍👧‍👦',
  'ﷺ',
  'İıſK',
  '\u200B',
  '%',
  '_',
  '%_%',
  '***',
  'true',
  '0',
  'null',
]

/** Texts that could be misread as a path, a query, markup, a template, a header or a number. */
export const tricks: Texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '../../../../etc/passwd',
  String.raw`..\..\windows\win.ini`,
  '/etc/passwd',
  '....//....//etc/passwd',
  '.',
  '..',
  '%2e%2e%2f',
  '%00',
  '%zz',
  '%c0%ae',
  'file:///etc/passwd',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  "x' UNION SELECT password_hash FROM users --",
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '$(id)',
  '`id`',
  '| id',
  '-i /etc/passwd',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'x\r\nSet-Cookie: session=x',
  '\uFEFF',
  '\uFFFF',
  '\u2028',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '9007199254740993',
  '0x10',
  '1_000',
  '2026-13-45T99:99:99Z',
  'a'.repeat(3000),
  '9'.repeat(400),
  '😀'.repeat(500),
  `${'('.repeat(200)}a${')+'.repeat(200)}`,
  '\u0301'.repeat(1000),
]

const numbers = [
  0,
  1,
  -1,
  2,
  12,
  13,
  36,
  1.5,
  -0,
  1e-320,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  1.797e308,
  -1e308,
] as const

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = wrap(value)
  return value
}

/** Own properties with these names, as JSON.parse creates them. */
const withPrototype = (name: string, inner: unknown): unknown => Object.fromEntries([[name, inner]])

const oddities: readonly [(dice: Dice) => unknown, ...((dice: Dice) => unknown)[]] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => [[]],
  () => '',
  (dice) => dice.pick(numbers),
  (dice) => dice.pick(numbers),
  (dice) => dice.pick(tricks),
  (dice) => dice.pick(tricks),
  (dice) => dice.pick(words),
  () => '\uD800',
  () => 'x'.repeat(100_000),
  () => nested(1000, (inner) => [inner]),
  () => nested(500, (inner) => ({ values: inner })),
  () => Array.from({ length: 5000 }, (_, at) => at),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key${at}`, at])),
  () => withPrototype('__proto__', { isAdmin: true, polluted: true }),
  () => withPrototype('constructor', withPrototype('prototype', { polluted: true })),
  () => ({ toString: 1, valueOf: null, length: -1, constructor: 'x' }),
  () => [null, null],
  () => ({ $gt: '' }),
]

export const odd = (dice: Dice): unknown => dice.pick(oddities)(dice)

type Schema = z.core.JSONSchema.JSONSchema

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON Schema of a schema's input. */
export const wireSchema = (schema: unknown): Schema | undefined =>
  schema instanceof z.ZodMiniType ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : undefined

const fittingText = ({ format, pattern, minLength = 0 }: Schema, dice: Dice): string => {
  if (format === 'date-time') return dice.pick(moments)
  if (format === 'date') return dice.pick(['2026-11-21', '2024-02-29', '0000-01-01', '9999-12-31'])
  if (pattern?.includes(String.raw`\d{1,9}`) === true)
    return dice.pick(['0', '1', '2', '-1', '60', '1080', '-999999999', '999999999'])
  if (pattern?.includes('@') === true)
    return dice.pick(['a@b', 'ann@example.org', `${'a'.repeat(64)}@${'b'.repeat(60)}.org`, '\'"+=`{|}~@x'])
  const text = dice.pick(words)
  return text.length < minLength ? text.padEnd(minLength, '~') : text
}

const fittingNumber = ({ type, minimum, maximum }: Schema, dice: Dice): number => {
  const [least, most] = [minimum ?? -1, maximum ?? 1e6]
  const value = dice.pick([least, most, 1, 2, least + dice.below(20), type === 'integer' ? 3 : 0.5])
  return Math.min(most, Math.max(least, value))
}

/** A value that a schema accepts, or almost. `name`: of the field. */
export const fitting = (schema: unknown, dice: Dice, known: Known, name = ''): unknown => {
  if (!isSchema(schema)) return odd(dice)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[dice.below(schema.enum.length)]
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return fitting(either[dice.below(either.length)], dice, known, name)
  if (schema.type === 'object') {
    const own = Object.entries(schema.properties ?? {}).filter(
      ([key]) => schema.required?.includes(key) === true || !dice.onceIn(3),
    )
    const more =
      own.length === 0 && isSchema(schema.additionalProperties)
        ? [[dice.pick(words), schema.additionalProperties] as const]
        : []
    return Object.fromEntries([...own, ...more].map(([key, inner]) => [key, fitting(inner, dice, known, key)]))
  }
  if (schema.type === 'array')
    return Array.from({ length: dice.below(4) }, () => fitting(schema.items, dice, known, name))
  if (schema.type === 'boolean') return dice.onceIn(2)
  if (schema.type === 'number' || schema.type === 'integer') return fittingNumber(schema, dice)
  if (schema.type === 'null') return null
  if (schema.type !== 'string') return odd(dice)
  const common = Object.hasOwn(known, name) ? known[name] : undefined
  return common === undefined || dice.onceIn(8) ? fittingText(schema, dice) : dice.pick(common)
}

/** The value with one odd place: replaced, removed, or with an additional field. */
export const bent = (value: unknown, dice: Dice): unknown => {
  if (typeof value !== 'object' || value === null || dice.onceIn(6)) return odd(dice)
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.onceIn(4)) return [...value, odd(dice)]
    const index = dice.below(value.length)
    return value.map((one: unknown, at) => (at === index ? bent(one, dice) : one))
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || dice.onceIn(5)) return Object.fromEntries([...entries, [dice.pick(tricks), odd(dice)]])
  const index = dice.below(entries.length)
  if (dice.onceIn(6)) return Object.fromEntries(entries.filter((_, at) => at !== index))
  return Object.fromEntries(entries.map(([key, one], at) => [key, at === index ? bent(one, dice) : one]))
}
