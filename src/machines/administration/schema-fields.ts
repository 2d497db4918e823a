import type { FieldErrors } from '../form/form.events.ts'
import { type ConfigurationValues, isRecord, namesOf, stepOf } from './configuration-values.ts'

export interface SchemaField {
  path: string
  title: string
  description: string
  kind: 'text' | 'number' | 'flag' | 'choice' | 'lines'
  options: readonly string[]
  isSecret: boolean
  isWhole: boolean
  least: number | null
  most: number | null
}

/** The fields of a JSON Schema's object, nested objects by their dotted paths. What it can't draw is text. */
export function fieldsOf(schema: unknown, prefix = ''): SchemaField[] {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return []
  return Object.entries(schema['properties']).flatMap(([name, property]) => {
    if (!isRecord(property)) return []
    const path = prefix + stepOf(name)
    if (isRecord(property['properties'])) return fieldsOf(property, `${path}.`)
    const options = Array.isArray(property['enum']) ? property['enum'].map(String) : []
    return {
      path,
      title: textOf(property['title']) || namesOf(path).join('.'),
      description: textOf(property['description']),
      kind: kindOf(property, options),
      options,
      isSecret: property['format'] === 'password' || property['writeOnly'] === true,
      isWhole: [property['type']].flat().includes('integer'),
      least: numberOf(property['minimum']),
      most: numberOf(property['maximum']),
    }
  })
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function kindOf(property: Record<string, unknown>, options: readonly string[]): SchemaField['kind'] {
  if (options.length > 0) return 'choice'
  const types = [property['type']].flat()
  if (types.includes('boolean')) return 'flag'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('array') ? 'lines' : 'text'
}

/** What was typed as the value that the schema wants; a number that isn't one stays text, for the server to refuse. */
export function typed(kind: SchemaField['kind'], value: string): unknown {
  if (kind === 'lines')
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (kind === 'number') return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
  return value
}

export function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What is wrong with values before the server is asked: numbers that are none, or lie outside their bounds. */
export function wrongIn(fields: readonly SchemaField[], values: ConfigurationValues): FieldErrors {
  return Object.fromEntries(
    fields.flatMap(({ path, kind, isWhole, least, most }): [string, string][] => {
      const value = values[path]
      if (kind !== 'number' || value === undefined) return []
      if (typeof value !== 'number' || (isWhole && !Number.isInteger(value))) return [[path, 'invalidNumber']]
      return (least !== null && value < least) || (most !== null && value > most) ? [[path, 'outOfRange']] : []
    }),
  )
}
