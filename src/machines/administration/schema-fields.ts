import type { FieldErrors } from '../form/form.events.ts'
import { type ConfigurationValues, isRecord, namesOf, segmentOf } from './configuration-values.ts'

export interface SchemaField {
  path: string
  title: string
  description: string
  kind: 'text' | 'number' | 'flag' | 'choice' | 'lines'
  /** The allowed values of a choice. */
  options: readonly unknown[]
  /** The lines of a list are numbers. */
  hasNumbers: boolean
  /** The value of an empty number: null or none, if the schema allows that; else '', which is refused. */
  empty: '' | null | undefined
  isSecret: boolean
  isWhole: boolean
  min: number | null
  max: number | null
}

/** The fields of an object's JSON Schema; those of nested objects have dotted paths. Fields of other types are text. */
export function fieldsOf(schema: unknown, prefix = ''): SchemaField[] {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return []
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(schema['properties']).flatMap(([name, property]) => {
    if (!isRecord(property)) return []
    const path = prefix + segmentOf(name)
    if (isRecord(property['properties'])) return fieldsOf(property, `${path}.`)
    const options: readonly unknown[] = Array.isArray(property['enum']) ? property['enum'] : []
    return {
      path,
      title: textOf(property['title']) || namesOf(path).join('.'),
      description: textOf(property['description']),
      kind: kindOf(property, options),
      options,
      hasNumbers: isNumeric(property['items']),
      empty: emptyOf(property, required.includes(name)),
      isSecret: property['format'] === 'password' || property['writeOnly'] === true,
      isWhole: [property['type']].flat().includes('integer'),
      min: numberOf(property['minimum']),
      max: numberOf(property['maximum']),
    }
  })
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function emptyOf(property: Record<string, unknown>, isRequired: boolean): SchemaField['empty'] {
  if ([property['type']].flat().includes('null')) return null
  return isRequired ? '' : undefined
}

function kindOf(property: Record<string, unknown>, options: readonly unknown[]): SchemaField['kind'] {
  if (options.length > 0) return 'choice'
  const types = [property['type']].flat()
  if (types.includes('boolean')) return 'flag'
  if (isNumeric(property)) return 'number'
  return types.includes('array') ? 'lines' : 'text'
}

function isNumeric(property: unknown): boolean {
  const types = isRecord(property) ? [property['type']].flat() : []
  return types.includes('number') || types.includes('integer')
}

/** Text that isn't a number stays text; `validateFields` refuses it, or in a list the server. */
const numberIn = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** The text of a field as a value of its kind. */
export function parseField(
  { kind, options, hasNumbers, empty }: Pick<SchemaField, 'kind' | 'options' | 'hasNumbers' | 'empty'>,
  text: string,
): unknown {
  if (kind === 'choice') return options.find((option) => String(option) === text) ?? text
  if (kind === 'number') return text.trim() === '' ? empty : numberIn(text)
  if (kind !== 'lines') return text
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return hasNumbers ? lines.map(numberIn) : lines
}

export function formatField(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Checks numbers before the values are sent: whether they are numbers, whole, and within their bounds. */
export function validateFields(fields: readonly SchemaField[], values: ConfigurationValues): FieldErrors {
  return Object.fromEntries(
    fields.flatMap(({ path, kind, empty, isWhole, min, max }): [string, string][] => {
      const value = values[path]
      if (kind !== 'number' || value === undefined || (value === null && empty === null)) return []
      if (typeof value !== 'number' || (isWhole && !Number.isInteger(value))) return [[path, 'invalidNumber']]
      return (min !== null && value < min) || (max !== null && value > max) ? [[path, 'outOfRange']] : []
    }),
  )
}

/** Without the secrets, which a restored version leaves as they are. */
export const withoutSecrets = (fields: readonly SchemaField[], values: ConfigurationValues): ConfigurationValues => {
  const secrets = new Set(fields.filter(({ isSecret }) => isSecret).map(({ path }) => path))
  return Object.fromEntries(Object.entries(values).filter(([path]) => !secrets.has(path)))
}
