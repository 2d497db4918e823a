import { ofetch } from 'ofetch'
import { address, call } from '../call.ts'
import { OpenApiDocument } from '../contract/open-api.ts'

export const getOpenApi = (signal?: AbortSignal) => call(OpenApiDocument, { path: '/v1/openapi.json', signal })

/** A call as a person wrote it; `path` with its query. */
export interface PlainRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** An answer as it came, whatever its status. */
export interface PlainReply {
  status: number
  ms: number
  headers: readonly (readonly [name: string, value: string])[]
  content: { kind: 'text'; text: string } | { kind: 'file'; file: Blob }
}

const isText = (type: string) => type === '' || /json|text|xml|mpegurl|javascript/i.test(type)

/**
 * Sends a call as it is written and answers what came back, errors too, without the console acting on them: a token
 * that is tried out and refused doesn't sign the user out. With an `authorization` header the session's cookie stays at
 * home. Rejects where nothing came back.
 */
export async function sendPlain(
  { method, path, headers, body }: PlainRequest,
  signal?: AbortSignal,
): Promise<PlainReply> {
  const started = performance.now()
  const response = await ofetch.raw(address(path), {
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
