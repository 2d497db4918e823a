import * as z from 'zod/mini'
import { flag, list, text } from './wire.ts'

const Schema = z.record(z.string(), z.unknown())
const Content = z.optional(z.record(z.string(), z.looseObject({ schema: z.optional(Schema) })))

const Operation = z.object({
  tags: list(z.string()),
  summary: text,
  description: text,
  parameters: list(
    z.object({ name: z.string(), in: z.string(), required: flag, description: text, schema: z.optional(Schema) }),
  ),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.optional(z.record(z.string(), z.object({ description: text, content: Content }))),
  security: z.optional(z.array(z.unknown())),
})

/** GET /v1/openapi.json: what the console reads of an OpenAPI 3.1 document. */
export const OpenApiDocument = z.object({
  info: z.object({ title: text, version: text, description: text }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})
export type OpenApiDocument = z.output<typeof OpenApiDocument>
