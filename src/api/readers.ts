import { epochMsOf, normalizedInstant } from './contract/instants.ts'

/**
 * Readers decode answers as the schemas of src/api/contract do, with a tenth of zod's code. A build replaces each
 * schema of an answer with a reader (scripts/readers-plugin.ts); tests/readers.test.ts compares both.
 */

interface Issue {
  message: string
  path: readonly PropertyKey[]
}
/** Returns the decoded value, or adds to `issues` if the value doesn't fit. `path`: of the value within the answer. */
type Read = (value: unknown, path: readonly PropertyKey[], issues: Issue[]) => unknown

const fail = (expected: string, path: readonly PropertyKey[], issues: Issue[]) =>
  void issues.push({ message: `Invalid input: expected ${expected}`, path })

const checked =
  (expected: string, fits: (value: unknown) => boolean): Read =>
  (value, path, issues) =>
    fits(value) ? value : fail(expected, path, issues)

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
  (value, path, issues) =>
    value === undefined ? undefined : read(value, path, issues)
export const nullable =
  (read: Read): Read =>
  (value, path, issues) =>
    value === null ? null : read(value, path, issues)
/** An absent value becomes `makeDefault()`, which is already decoded. */
export const fallback =
  (read: Read, makeDefault: () => unknown): Read =>
  (value, path, issues) =>
    value === undefined ? makeDefault() : read(value, path, issues)
/** An absent value becomes `makeDefault()`, which is then decoded. */
export const prefault =
  (read: Read, makeDefault: () => unknown): Read =>
  (value, path, issues) =>
    read(value === undefined ? makeDefault() : value, path, issues)
/** A value that doesn't fit becomes `makeDefault()`. */
export const orElse =
  (read: Read, makeDefault: () => unknown): Read =>
  (value, path) => {
    const issues: Issue[] = []
    const decoded = read(value, path, issues)
    return issues.length === 0 ? decoded : makeDefault()
  }

export const text = fallback(string, () => '')
export const flag = fallback(boolean, () => false)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const array =
  (read: Read): Read =>
  (value, path, issues) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => read(item, [...path, index], issues))
      : fail('array', path, issues)
export const nonEmpty =
  (read: Read): Read =>
  (value, path, issues) =>
    Array.isArray(value) && value.length === 0 ? fail('an element', path, issues) : read(value, path, issues)
export const list = (read: Read) => fallback(array(read), () => [])

export const record =
  (read: Read): Read =>
  (value, path, issues) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, read(member, [...path, key], issues)]))
      : fail('record', path, issues)

export const object = (members: Readonly<Record<string, Read>>): Read => {
  const readers = Object.entries(members)
  return (value, path, issues) => {
    if (!isRecord(value)) return fail('object', path, issues)
    const decoded: Record<string, unknown> = {}
    for (const [key, read] of readers) {
      const member = read(value[key], [...path, key], issues)
      if (member !== undefined) decoded[key] = member
    }
    return decoded
  }
}

/** Decodes with the first reader that the value fits. */
export const union =
  (...reads: Read[]): Read =>
  (value, path, issues) => {
    for (const read of reads) {
      const ownIssues: Issue[] = []
      const decoded = read(value, path, ownIssues)
      if (ownIssues.length === 0) return decoded
    }
    return fail('another value', path, issues)
  }

/** The pattern of zod's `iso.datetime({ offset: true })`: no days that the month doesn't have. */
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
/** Empty text means absent, a day without a time its first moment in UTC. */
export const optionalInstant: Read = (value, path, issues) => {
  if (value === undefined || value === '') return undefined
  return typeof value === 'string' && dayPattern.test(value) ? Date.parse(value) : instant(value, path, issues)
}

/** A Standard Schema (src/api/decode.ts). */
export const schema = (read: Read) => ({
  '~standard': {
    version: 1,
    vendor: 'sightline',
    validate(value: unknown) {
      const issues: Issue[] = []
      const decoded = read(value, [], issues)
      return issues.length === 0 ? { value: decoded } : { issues }
    },
  },
})
