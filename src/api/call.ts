import { FetchError, ofetch } from 'ofetch'
import { ApiErrorBody } from './contract/api-error.ts'
import { type Schema, decode } from './decode.ts'
import { type ApiError, type Reply, noResponse } from './reply.ts'
import { retryAfterOf } from './retry-after.ts'
import { noteServerDate } from './server-time.ts'
import { withTimeLimit } from './time-limit.ts'

type Query = Record<string, string | number | boolean | readonly string[] | undefined>

interface Call {
  path: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query
  body?: object
  signal?: AbortSignal | undefined
  /** By default a minute for GET; other calls change something, and are waited for. */
  timeoutMs?: number
}

type Watcher = (apiError: ApiError, call: { path: string; method: string }) => void

const watchers = new Set<Watcher>()
const server = { baseUrl: '' }
const guest = { uid: '', token: '' }

/** Sets where calls go; '' is the console's own origin (docs/wire.md §4.1). A path is resolved against that origin. */
export function setBaseUrl(baseUrl: string): void {
  const root = globalThis.location?.origin
  const absolute = baseUrl !== '' && URL.canParse(baseUrl, root) ? new URL(baseUrl, root).href : baseUrl
  server.baseUrl = absolute.replace(/\/+$/, '')
}

/** Sets the share token of a visitor; calls about the shared stream send it as a header (docs/wire.md §5.2, share). */
export function setGuest({ uid, token }: { uid: string; token: string }): void {
  Object.assign(guest, { uid, token })
}

export function watchApiErrors(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

const resolved = (path: string): URL =>
  new URL(path.startsWith('/') ? server.baseUrl + path : path, globalThis.location?.href)

/** False for the URL of another host that the configuration names (docs/behaviour.md §2, version check). */
function isServerPath(path: string): boolean {
  return (
    path.startsWith('/') &&
    URL.canParse(server.baseUrl + path, globalThis.location?.href) &&
    resolved(path).origin === resolved('/').origin
  )
}

export function isOurServer(url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === resolved('/').origin
}

export function urlOf(path: string, query: Query = {}): string {
  const url = resolved(path)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  return url.href
}

/** The share token as a header, only for calls to our server about the shared stream. */
export function callHeaders(url: string): Record<string, string> {
  const { pathname, searchParams } = new URL(url)
  const stream = resolved(`/v1/stream/${pathSegment(guest.uid)}`).pathname
  const isAboutSharedStream =
    pathname === stream ||
    pathname.startsWith(`${stream}/`) ||
    ['stream_id', 'streamId'].some((name) => searchParams.get(name) === guest.uid)
  return guest.token !== '' && isAboutSharedStream && isOurServer(url) ? { 'share-token': guest.token } : {}
}

/** Encodes an id for a path. A URL can't contain `.` or `..` as a segment: these become an id that doesn't exist. */
export function pathSegment(value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed())
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded
}

/** Calls the server and decodes its answer; throws only when `signal` aborts. */
export async function call<T>(schema: Schema<T>, request: Call): Promise<Reply<T>> {
  return perform(request, (data) => valueOf(schema, data, request))
}

export function callForBlob(request: Call): Promise<Reply<Blob>> {
  const read = (data: unknown): Answered<Blob> => {
    if (data === undefined) return { ok: false, apiError: noContent }
    const isFile = data instanceof Blob && data.size > 0 && !/^(?:text\/|application\/json)/.test(data.type)
    return isFile ? { ok: true, value: data } : { ok: false, apiError: unreadable }
  }
  return perform(request, read, 'blob')
}

type Answered<T> = { ok: true; value: T } | { ok: false; apiError: ApiError }

const readTimeoutMs = 60_000

/** The embedded server answers 204 for a missing picture, because browsers log each 404. */
const noContent: ApiError = { ...noResponse, status: 204, code: 'NotFound' }
const unreadable: ApiError = { ...noResponse, status: 200, code: 'UnreadableReply' }

/** `responseType`: by default, that of the content-type. */
async function perform<T>(
  request: Call,
  read: (data: unknown) => Answered<T>,
  responseType?: 'blob',
): Promise<Reply<T>> {
  const { path, method = 'GET', query, body, signal } = request
  const timeoutMs = request.timeoutMs ?? (method === 'GET' ? readTimeoutMs : undefined)
  try {
    const url = urlOf(path, query)
    const from = Date.now()
    const response = await withTimeLimit(timeoutMs, signal === undefined ? [] : [signal], (limited) =>
      ofetch.raw(url, {
        method,
        retry: 0,
        headers: callHeaders(url),
        credentials: 'same-origin',
        ...(method === 'GET' ? {} : { body: body ?? {} }),
        signal: limited,
        ...(responseType && { responseType }),
      }),
    )
    // A cache may have answered with a file or a picture, and an old date.
    if (path.startsWith('/v1/') && !(response._data instanceof Blob))
      noteServerDate(response.headers, { from, to: Date.now() })
    const decoded = read(response._data)
    if (!decoded.ok) return reportApiError(decoded.apiError, path, method)
    return { ...decoded, retryAfterSeconds: retryAfterOf(response.headers) }
  } catch (error) {
    if (signal?.aborted) throw error
    return reportApiError(await apiErrorOf(error), path, method)
  }
}

/** Passes an error of our server to the watchers, and returns it as a reply. */
export function reportApiError(apiError: ApiError, path: string, method: string): { ok: false; apiError: ApiError } {
  if (isServerPath(path)) for (const watcher of watchers) watcher(apiError, { path, method })
  return { ok: false, apiError }
}

/** Passes the status of a media request to the watchers; ignores other hosts. */
export function reportMediaError(url: string, status: number): void {
  if (isOurServer(url)) reportApiError({ ...noResponse, status, code: '' }, new URL(url).pathname, 'GET')
}

function valueOf<T>(schema: Schema<T>, data: unknown, { path }: Call): Answered<T> {
  if (data instanceof Blob && data.size > 0) return { ok: false, apiError: unreadable }
  const decoded = decode(schema, withoutNulls(data === '' ? {} : (data ?? {})))
  if (decoded.ok) return decoded
  for (const problem of decoded.problems) globalThis.console.error(`${path}: the reply does not fit ${problem}`)
  return { ok: false, apiError: unreadable }
}

/** Removes null members, which mean absent (docs/wire.md §1). Array elements stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  )
}

async function apiErrorOf(error: unknown): Promise<ApiError> {
  if (!(error instanceof FetchError) || error.response === undefined) return noResponse
  const data: unknown = error.data
  return apiErrorFrom(error.response, data instanceof Blob ? jsonOf(await data.text()) : data)
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error that a response stands for. `body`: its parsed body, of any form. */
export function apiErrorFrom({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const data = withoutNulls(body)
  const decoded = decode(ApiErrorBody, data)
  // Only unexpected errors are logged with their request.
  const requestId = headers.get('x-request-id')
  return {
    status,
    code: codeIn(data),
    message: (decoded.ok && decoded.value.message) || '',
    details: (decoded.ok && decoded.value.details) || {},
    retryAfterSeconds: retryAfterOf(headers),
    ...(status === 500 && requestId !== null ? { requestId } : {}),
  }
}

/** The code of an error whose other members may not fit. */
const codeIn = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string' ? data.code : ''
