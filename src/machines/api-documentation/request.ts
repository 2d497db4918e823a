import type { PlainRequest } from '../../api/resources/open-api.ts'
import { exampleOf } from './example.ts'
import type { Operation } from './operations.ts'

/** What is typed into the form of an operation: its parameters by name, and the text of the JSON body. */
export interface RequestFields {
  parameters: Readonly<Record<string, string>>
  body: string
}

const hourMs = 3_600_000
/** Names of parameters that are the start of a time range. */
const rangeStarts: ReadonlySet<string> = new Set(['from', 'start_time'])

/**
 * Required date-times are filled in with a range that ends at `now` (epoch ms) and lasts an hour, the body with an
 * example of its schema.
 */
export function defaultFieldsOf({ parameters, body }: Operation, now: number): RequestFields {
  const filled = parameters
    .filter(({ isRequired, schema }) => isRequired && schema['format'] === 'date-time')
    .map(({ name }) => [name, new Date(rangeStarts.has(name) ? now - hourMs : now).toISOString()] as const)
  return {
    parameters: Object.fromEntries(filled),
    body: body === null ? '' : JSON.stringify(exampleOf(body, now), null, 2),
  }
}

export const missingParameters = ({ parameters }: Operation, fields: RequestFields): readonly string[] =>
  parameters
    .filter(({ name, isRequired }) => isRequired && (fields.parameters[name] ?? '').trim() === '')
    .map(({ name }) => name)

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The request that the fields describe; empty fields are left out. Without a token the session authenticates it. */
export function requestOf(
  { method, path, parameters, body }: Operation,
  fields: RequestFields,
  token: string,
): PlainRequest {
  const valueOf = (name: string) => (fields.parameters[name] ?? '').trim()
  const filledPath = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(valueOf(name).toWellFormed()),
  )
  const query = new URLSearchParams(
    parameters.flatMap(({ name, location }) =>
      location === 'query' && valueOf(name) !== '' ? [[name, valueOf(name)]] : [],
    ),
  ).toString()
  const hasBody = body !== null && fields.body.trim() !== ''
  return {
    method,
    path: query === '' ? filledPath : `${filledPath}?${query}`,
    headers: {
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: hasBody ? fields.body : null,
  }
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The request as a curl command for a POSIX shell. The token is read from the variable `$TOKEN`, so that a copied
 * command doesn't contain it; a public operation needs none.
 */
export function curlOf({ method, path, headers, body }: PlainRequest, baseUrl: string, isPublic: boolean): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(baseUrl.replace(/\/$/, '') + path)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(headers['content-type'] === undefined ? [] : [`-H ${shellQuoted(`Content-Type: ${headers['content-type']}`)}`]),
    ...(body === null ? [] : [`-d ${shellQuoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}
