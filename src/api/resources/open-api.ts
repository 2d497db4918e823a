import { ofetch } from 'ofetch'
import { call, urlOf } from '../call.ts'
import { OpenApiDocument } from '../contract/open-api.ts'

export const getOpenApi = (signal?: AbortSignal) => call(OpenApiDocument, { path: '/v1/openapi.json', signal })

/** A request as the user typed it; `path` includes the query. */
export interface PlainRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** The response of any status; `ms`: from the request to the last byte. */
export interface PlainResponse {
  status: number
  ms: number
  headers: readonly (readonly [name: string, value: string])[]
  content: { kind: 'text'; text: string } | { kind: 'file'; file: Blob }
}

const isText = (type: string) => type === '' || /json|text|xml|mpegurl|javascript/i.test(type)

/**
 * Sends a request unchanged and resolves with the response, of an error too. The console doesn't act on errors here: a
 * 401 for a token under test signs nobody out. With an `authorization` header the session cookie isn't sent. Rejects
 * without a response.
 */
export async function sendPlain(
  { method, path, headers, body }: PlainRequest,
  signal?: AbortSignal,
): Promise<PlainResponse> {
  const started = performance.now()
  const response = await ofetch.raw(urlOf(path), {
    method,
    headers,
    ...(body === null ? {} : { body }),
    credentials: Object.hasOwn(headers, 'authorization') ? 'omit' : 'same-origin',
    responseType: 'blob',
    ignoreResponseError: true,
    retry: 0,
    ...(signal === undefined ? {} : { signal }),
  })
  const ms = performance.now() - started
  const file = response._data ?? new Blob()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    ms,
    headers: [...response.headers].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    content: isText(type) ? { kind: 'text', text: await file.text() } : { kind: 'file', file },
  }
}
