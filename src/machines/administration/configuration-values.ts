/** Values by dotted path, for example `mail.host`. Within a name `.` is written `~1`, and `~` is written `~0`. */
export type ConfigurationValues = Record<string, unknown>

/** Where text that isn't valid JSON yet is kept. No setting has this path, as `~` is escaped in names. */
export const brokenText = '~text'

/** Nested objects as one object of dotted paths. Lists and empty objects are values. */
export function flatten(values: Record<string, unknown>, prefix = ''): ConfigurationValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isRecord(value) && Object.keys(value).length > 0
        ? Object.entries(flatten(value, `${prefix}${segmentOf(name)}.`))
        : [[`${prefix}${segmentOf(name)}`, value]],
    ),
  )
}

/** The reverse of `flatten`. */
export function nest(values: ConfigurationValues): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    // As in `Change`: the value doesn't exist.
    if (value === undefined) continue
    const names = namesOf(path)
    const last = names.pop() ?? ''
    let record = root
    for (const name of names) {
      // Not what is inherited, as by `__proto__`.
      const inner = Object.hasOwn(record, name) ? record[name] : undefined
      const next = isRecord(inner) ? inner : {}
      record[name] = next
      record = next
    }
    if (!isRecord(value) || !isRecord(record[last])) record[last] = value
  }
  return root
}

export const segmentOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('.', '~1')

export const namesOf = (path: string): string[] =>
  path.split('.').map((segment) => segment.replaceAll('~1', '.').replaceAll('~0', '~'))

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined before or after: the value doesn't exist there. */
export interface Change {
  path: string
  before: unknown
  after: unknown
}

export function changesBetween(before: ConfigurationValues, after: ConfigurationValues): readonly Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => path !== brokenText && JSON.stringify(before[path]) !== JSON.stringify(after[path]))
    .map((path) => ({ path, before: before[path], after: after[path] }))
}
