import type { PlainRequest } from '../../api/resources/open-api.ts'
import { exampleOf } from './example.ts'
import type { Operation } from './operations.ts'

export interface Draft {
  parameters: Readonly<Record<string, string>>
  body: string
}

const hourMs = 3_600_000
/** The start of a range, by the names that the contract has for it. */
const starts: ReadonlySet<string> = new Set(['from', 'start_time', 'time'])

/** What a call asks for at least: required instants name the last hour, a body is an example of its schema. */
export function callDraftOf({ parameters, body }: Operation, now: number): Draft {
  const filled = parameters
    .filter(({ isRequired, schema }) => isRequired && schema['format'] === 'date-time')
    .map(({ name }) => [name, new Date(starts.has(name) ? now - hourMs : now).toISOString()] as const)
  return {
    parameters: Object.fromEntries(filled),
    body: body === null ? '' : JSON.stringify(exampleOf(body, now), null, 2),
  }
}

export const missingIn = ({ parameters }: Operation, draft: Draft): readonly string[] =>
  parameters
    .filter(({ name, isRequired }) => isRequired && (draft.parameters[name] ?? '').trim() === '')
    .map(({ name }) => name)

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The call as it goes out; without a token it is the session that signs it. What isn't filled in is left out. */
export function requestOf({ method, path, parameters, body }: Operation, draft: Draft, token: string): PlainRequest {
  const valueOf = (name: string) => (draft.parameters[name] ?? '').trim()
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name).toWellFormed()))
  const query = new URLSearchParams(
    parameters.flatMap(({ name, location }) =>
      location === 'query' && valueOf(name) !== '' ? [[name, valueOf(name)]] : [],
    ),
  ).toString()
  const hasBody = body !== null && draft.body.trim() !== ''
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: {
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    body: hasBody ? draft.body : null,
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The same as a command for a shell. The token isn't written out: it comes from the shell's own `$TOKEN`. */
export function curlOf({ method, path, headers, body }: PlainRequest, origin: string, isPublic: boolean): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin.replace(/\/$/, '') + path)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(headers['content-type'] === undefined ? [] : [`-H ${quoted(`Content-Type: ${headers['content-type']}`)}`]),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}
