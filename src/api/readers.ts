import { epochMsOf, normalizedInstant } from './contract/instants.ts'

/**
 * Decodes answers as the schemas of src/api/contract do, in a tenth of zod's code. A build writes these schemas with it
 * (scripts/readers-plugin.ts), and tests/readers.test.ts compares both.
 */
interface Issue {
  message: string
  path: readonly PropertyKey[]
}
type Read = (value: unknown, path: readonly PropertyKey[], issues: Issue[]) => unknown

const checked =
  (expected: string, fits: (value: unknown) => boolean): Read =>
  (value, path, issues) => {
    if (!fits(value)) issues.push({ message: `Invalid input: expected ${expected}`, path })
    return value
  }

export const string = checked('string', (value) => typeof value === 'string')
export const number = checked('number', Number.isFinite)
export const boolean = checked('boolean', (value) => typeof value === 'boolean')
export const unknown = checked('a value', (value) => value !== undefined)
export const literal = (...values: unknown[]) => checked(values.join(' or '), (value) => values.includes(value))
export const matching = (pattern: RegExp) =>
  checked('another format', (value) => typeof value === 'string' && pattern.test(value))
export const above = (limit: number) =>
  checked(`more than ${limit}`, (value) => typeof value === 'number' && value > limit && value < Infinity)
export const within = (from: number, to: number) =>
  checked(`${from} to ${to}`, (value) => typeof value === 'number' && value >= from && value <= to)

export const optional =
  (read: Read): Read =>
  (value, ...to) =>
    value === undefined ? undefined : read(value, ...to)
export const nullable =
  (read: Read): Read =>
  (value, ...to) =>
    value === null ? null : read(value, ...to)
/** `fallback` isn't read, `before` is. */
export const fallback =
  (read: Read, make: () => unknown): Read =>
  (value, ...to) =>
    value === undefined ? make() : read(value, ...to)
export const before =
  (read: Read, make: () => unknown): Read =>
  (value, ...to) =>
    read(value === undefined ? make() : value, ...to)
/** Of a value that doesn't fit. */
export const orElse =
  (read: Read, make: () => unknown): Read =>
  (value, path) => {
    const own: Issue[] = []
    const found = read(value, path, own)
    return own.length === 0 ? found : make()
  }

export const text = fallback(string, () => '')
export const flag = fallback(boolean, () => false)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fail = (expected: string, path: readonly PropertyKey[], issues: Issue[]) =>
  void issues.push({ message: `Invalid input: expected ${expected}`, path })

export const array =
  (read: Read): Read =>
  (value, path, issues) =>
    Array.isArray(value)
      ? value.map((one: unknown, index) => read(one, [...path, index], issues))
      : fail('array', path, issues)
/** With an element at least. */
export const filled =
  (read: Read): Read =>
  (value, path, issues) =>
    Array.isArray(value) && value.length === 0 ? fail('an element', path, issues) : read(value, path, issues)
export const list = (read: Read) => fallback(array(read), () => [])

export const record =
  (read: Read): Read =>
  (value, path, issues) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(one, [...path, key], issues)]))
      : fail('record', path, issues)

export const object = (members: Readonly<Record<string, Read>>): Read => {
  const all = Object.entries(members)
  return (value, path, issues) => {
    if (!isRecord(value)) return fail('object', path, issues)
    const found: Record<string, unknown> = {}
    for (const [key, read] of all) {
      const member = read(value[key], [...path, key], issues)
      if (member !== undefined) found[key] = member
    }
    return found
  }
}

/** The first that fits. */
export const union =
  (...reads: Read[]): Read =>
  (value, path, issues) => {
    for (const read of reads) {
      const own: Issue[] = []
      const found = read(value, path, own)
      if (own.length === 0) return found
    }
    return fail('another value', path, issues)
  }

/** As zod has it for RFC 3339 with an offset: no day that its month doesn't have. */
const leapDay = '(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29'
const otherDay =
  '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
const hour = '(?:[01]\\d|2[0-3])'
const dayPattern = new RegExp(`^(?:${leapDay}|${otherDay})$`)
const instantPattern = new RegExp(
  `^(?:${leapDay}|${otherDay})T${hour}:[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${hour}:[0-5]\\d)$`,
)

/** RFC 3339 to epoch milliseconds. */
export const instant: Read = (value, path, issues) => {
  const normalized = typeof value === 'string' ? normalizedInstant(value) : ''
  return instantPattern.test(normalized) ? epochMsOf(normalized) : fail('date and time', path, issues)
}
/** Empty text means absent, a day alone its first moment in UTC. */
export const optionalInstant: Read = (value, ...to) => {
  if (value === undefined || value === '') return undefined
  return typeof value === 'string' && dayPattern.test(value) ? Date.parse(value) : instant(value, ...to)
}

export const schema = (read: Read) => ({
  '~standard': {
    version: 1,
    vendor: 'sightline',
    validate(value: unknown) {
      const issues: Issue[] = []
      const found = read(value, [], issues)
      return issues.length === 0 ? { value: found } : { issues }
    },
  },
})
