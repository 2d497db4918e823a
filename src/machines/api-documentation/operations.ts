import type { OpenApiDocument } from '../../api/contract/open-api.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  name: string
  location: 'path' | 'query'
  isRequired: boolean
  description: string
  schema: JsonSchema
}

export interface Operation {
  /** Method and path, for example `GET /v1/streams`. */
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  /** Callable without authentication. */
  isPublic: boolean
  parameters: readonly Parameter[]
  body: JsonSchema | null
  /** By status; `type` is the media type. */
  responses: readonly { status: string; type: string; schema: JsonSchema | null }[]
}

type Path = OpenApiDocument['paths'][string]
type Content = NonNullable<Path[string]['requestBody']>['content']

const schemaOf = (content: Content): JsonSchema | null => Object.values(content ?? {})[0]?.schema ?? null
const isLocation = (location: string): location is Parameter['location'] => location === 'path' || location === 'query'

/** Operations of one tag stand together, in the order of the document; path parameters come first. */
export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([name, { tags, summary, description, parameters, requestBody, responses, security }]): Operation => {
        const method = name.toUpperCase()
        return {
          id: `${method} ${path}`,
          method,
          path,
          tag: tags[0] ?? '',
          summary,
          description,
          isPublic: security?.length === 0,
          parameters: parameters
            .flatMap(({ in: location, required, schema = {}, ...rest }) =>
              isLocation(location)
                ? [
                    {
                      name: rest.name,
                      description: rest.description,
                      location,
                      isRequired: required || location === 'path',
                      schema,
                    },
                  ]
                : [],
            )
            .toSorted((one, other) => Number(other.location === 'path') - Number(one.location === 'path')),
          body: schemaOf(requestBody?.content),
          responses: Object.entries(responses ?? {}).map(([status, { content }]) => ({
            status,
            type: Object.keys(content ?? {})[0] ?? '',
            schema: schemaOf(content),
          })),
        }
      },
    ),
  )
  const tags = [...new Set(all.map(({ tag }) => tag))]
  return tags.flatMap((tag) => all.filter((one) => one.tag === tag))
}

/** The operations whose method, path, summary and tag contain every word of the search. */
export function searchOperations(operations: readonly Operation[], search: string): readonly Operation[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return operations
  return operations.filter(({ id, summary, tag }) => {
    const text = `${id} ${summary} ${tag}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
