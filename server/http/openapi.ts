import swagger from '@fastify/swagger'
import * as z from 'zod/mini'
import { optionalInstant } from '../../src/api/contract/wire.ts'
import type { RouteAccess } from '../access/gate.ts'
import type { App } from './fastify.ts'
import { describeAccess, summaries } from './summaries.ts'

type JsonSchemaOf = { zodSchema: object; jsonSchema: z.core.JSONSchema.BaseSchema }

/** Leaves the empty string out of `optionalInstant`: this server omits the field instead. */
const omitEmptyInstants = ({ zodSchema, jsonSchema }: JsonSchemaOf): void => {
  if (zodSchema !== optionalInstant) return
  const [moment] = jsonSchema.anyOf ?? []
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, moment)
}

/** The JSON Schema of the encoded form. In responses, too, a field with a default is optional. */
const wireSchema = (schema: unknown): unknown => {
  if (!(schema instanceof z.ZodMiniType)) return schema
  return {
    ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: omitEmptyInstants }),
    $schema: undefined,
  }
}

const mapValues = (holder: object, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, map(value)]))

/** What a share can allow. */
const ofShares: ReadonlySet<RouteAccess['to']> = new Set(['see', 'view', 'viewRange', 'downloadRange'])
const isByShare = ({ to }: RouteAccess): boolean => ofShares.has(to)

/** The ways to prove who calls, one of which is enough. */
const securityOf = (access: RouteAccess): Record<string, string[]>[] => {
  if (access.to === 'anyone') return []
  return [
    { session: [] },
    ...('notByToken' in access ? [] : [{ token: [] }]),
    ...(isByShare(access) ? [{ share: [] }] : []),
  ]
}

export const installOpenApi = async (app: App, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sightline', version, description: 'Streams, archive, users and administration of the server.' },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'On HTTPS `__Host-session`.' },
          token: { type: 'http', scheme: 'bearer' },
          share: { type: 'apiKey', in: 'header', name: 'share-token' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { body, querystring, params, headers, response, ...rest } = schema ?? {}
      const parts = Object.entries({ body, querystring, params, headers }).filter(([, part]) => part !== undefined)
      const summary = summaries[`${[route.method].flat()[0] ?? ''} ${url}`]
      const access = route.config?.access
      return {
        url,
        schema: {
          ...rest,
          ...(summary === undefined ? {} : { summary }),
          ...(access === undefined ? {} : { description: describeAccess(access) }),
          ...(access === undefined ? {} : { security: securityOf(access) }),
          hide: rest.hide === true || !url.startsWith('/v1/'),
          ...mapValues(Object.fromEntries(parts), wireSchema),
          ...(typeof response === 'object' && response !== null ? { response: mapValues(response, wireSchema) } : {}),
        },
      }
    },
  })
  app.get('/v1/openapi.json', { config: { access: { to: 'administrator' } }, schema: { hide: true } }, async () =>
    app.swagger(),
  )
}
