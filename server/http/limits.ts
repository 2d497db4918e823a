import * as z from 'zod/mini'
import type { App } from './fastify.ts'
import { ApiError } from './api-error.ts'

const maxUrlLength = 8192
const maxHeadersLength = 16 * 1024
/** Bytes beyond what a schema needs, for white space and unknown fields. */
const slack = 1024

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0)

/** Limits URL and headers. Node limits headers to 16 KiB over HTTP/1.1, but to 64 KiB over HTTP/2. */
export const installHeadLimits = (app: App): void => {
  app.addHook('onRequest', async ({ raw }) => {
    if ((raw.url ?? '').length > maxUrlLength) throw new ApiError(414, 'RequestDecodeError')
    if (sum(raw.rawHeaders.map((text) => text.length)) > maxHeadersLength) throw new ApiError(431, 'RequestDecodeError')
  })
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Most bytes of a UTF-16 unit in JSON: `\u0000`. */
const perCharacter = 6
const perNumber = 32
const perInstant = 64

/** The most bytes that a value takes as JSON; Infinity if its schema is unbounded. */
export const maxJsonBytes = (schema: JsonSchema | boolean): number => {
  if (typeof schema === 'boolean') return schema ? Infinity : 0
  const { anyOf, allOf, enum: words, const: word, type } = schema
  if (words !== undefined) return Math.max(...words.map((one) => JSON.stringify(one).length * perCharacter))
  if (word !== undefined) return JSON.stringify(word).length * perCharacter
  if (anyOf !== undefined) return Math.max(...anyOf.map(maxJsonBytes))
  if (allOf !== undefined) return Math.min(...allOf.map(maxJsonBytes))
  if (type === 'string' && schema.format === 'date-time') return perInstant
  if (type === 'string') return (schema.maxLength ?? Infinity) * perCharacter + 2
  if (type === 'number' || type === 'integer') return perNumber
  if (type === 'boolean' || type === 'null') return 5
  if (type === 'array') return (schema.maxItems ?? Infinity) * (maxJsonBytes(itemsOf(schema)) + 1) + 2
  const { properties } = schema
  if (type !== 'object' || properties === undefined) return Infinity
  return sum(Object.entries(properties).map(([name, property]) => name.length + 4 + maxJsonBytes(property))) + 2
}

const itemsOf = ({ items }: JsonSchema): JsonSchema | boolean =>
  items === undefined || Array.isArray(items) ? true : items

export const inputOf = (schema: unknown): JsonSchema | undefined =>
  schema instanceof z.core.$ZodType ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : undefined

/** For routes without a schema of the body. */
export const bareBodyLimit = slack

/** Limits each body to what its schema allows. An unbounded schema without `bodyLimit` throws at the start. */
export const installBodyLimits = (app: App): void => {
  app.addHook('onRoute', (route) => {
    const body = inputOf(route.schema?.body)
    if (body === undefined || route.bodyLimit !== undefined) return
    const limit = maxJsonBytes(body) + slack
    const name = `${String(route.method)} ${route.url}`
    if (limit === Infinity) throw new Error(`${name}: nothing bounds its body: add maxLength or bodyLimit`)
    route.bodyLimit = limit
  })
}
