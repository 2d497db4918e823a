import type { JsonSchema } from './operations.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deeper levels are left out, as schemas may refer to themselves. */
const maxDepth = 6

/** A smaller minimum is that of the number's type and doesn't make a good example. */
const minExample = -1e9

/** The first alternative of a schema that isn't `null`; without alternatives the schema itself. */
export function nonNullOf(schema: JsonSchema): JsonSchema {
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(alternatives)) return schema
  const alternative: unknown = alternatives.find((one) => isRecord(one) && one['type'] !== 'null')
  return isRecord(alternative)
    ? { ...alternative, ...(schema['default'] === undefined ? {} : { default: schema['default'] }) }
    : schema
}

/**
 * An example of a schema: its default, constant or first choice, else a minimal value; date-times are `now` (epoch ms).
 */
export function exampleOf(nullable: JsonSchema, now: number, depth = 0): unknown {
  const schema = nonNullOf(nullable)
  const { type, format, enum: choices, properties, items } = schema
  if (schema['default'] !== undefined) return schema['default']
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(choices)) return choices[0]
  if (depth >= maxDepth) return null
  if (type === 'object' || isRecord(properties)) {
    return Object.fromEntries(
      Object.entries(isRecord(properties) ? properties : {}).map(([name, one]) => [
        name,
        isRecord(one) ? exampleOf(one, now, depth + 1) : null,
      ]),
    )
  }
  if (type === 'array') return isRecord(items) ? [exampleOf(items, now, depth + 1)] : []
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer')
    return typeof schema['minimum'] === 'number' && schema['minimum'] > minExample ? schema['minimum'] : 0
  if (type === 'null') return null
  return format === 'date-time' ? new Date(now).toISOString() : ''
}

/**
 * A schema on one line, in JSON Schema's terms: `string · date-time`, `string · 1…200` (its length), `integer · ≥ 0`.
 */
export function typeOf(nullable: JsonSchema): string {
  const schema = nonNullOf(nullable)
  const { type, format, items, enum: choices, minimum, maximum, minLength, maxLength } = schema
  const [inner = 'any', ...rest] = isRecord(items) ? typeOf(items).split(' · ') : []
  const parts = type === 'array' ? [`${inner}[]`, ...rest] : [[type].flat().join(' | ') || 'any']
  if (typeof format === 'string') parts.push(format)
  if (Array.isArray(choices)) parts.push(choices.map((one) => JSON.stringify(one)).join(' | '))
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER) parts.push(`≥ ${minimum}`)
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) parts.push(`≤ ${maximum}`)
  if (typeof minLength === 'number' || typeof maxLength === 'number')
    parts.push(`${Number(minLength ?? 0)}…${typeof maxLength === 'number' ? maxLength : ''}`)
  if (
    nullable !== schema &&
    Array.isArray(nullable['anyOf']) &&
    nullable['anyOf'].some((one) => isRecord(one) && one['type'] === 'null')
  )
    parts.push('null')
  return parts.join(' · ')
}

/** A property of an object, with its own properties. */
export interface Member {
  name: string
  type: string
  description: string
  isRequired: boolean
  members: readonly Member[]
}

/** The properties of an object, or of the objects in an array. */
export function membersOf(nullable: JsonSchema, depth = 0): readonly Member[] {
  const schema = nonNullOf(nullable)
  if (depth >= maxDepth) return []
  const { items, properties, required } = schema
  if (isRecord(items)) return membersOf(items, depth + 1)
  if (!isRecord(properties)) return []
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).flatMap(([name, one]) =>
    isRecord(one)
      ? [
          {
            name,
            type: typeOf(one),
            description: typeof one['description'] === 'string' ? one['description'] : '',
            isRequired: names.includes(name),
            members: membersOf(one, depth + 1),
          },
        ]
      : [],
  )
}
