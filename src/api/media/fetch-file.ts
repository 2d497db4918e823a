import { apiErrorFrom, callHeaders, reportApiError } from '../call.ts'
import { noResponse, type ApiError } from '../reply.ts'

type Fetched = { ok: true; file: Blob; name: string | null } | { ok: false; apiError: ApiError }

/** Bytes received so far; `total` is null without a content-length. */
type OnBytes = (bytes: number, total: number | null) => void

function nameOf(headers: Headers): string | null {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1]
  try {
    return encoded === undefined ? (plain ?? null) : decodeURIComponent(encoded)
  } catch {
    return plain ?? null
  }
}

async function apiErrorOf(response: Response): Promise<ApiError> {
  const apiError = apiErrorFrom(response, await response.json().catch(() => undefined))
  const codeByStatus = response.status < 500 ? '' : 'InternalServerError'
  return { ...apiError, code: apiError.code || codeByStatus }
}

/** Fetches a file of our server. Throws only when `signal` aborts. */
export async function fetchFile(
  url: string,
  { onBytes, signal }: { onBytes: OnBytes; signal: AbortSignal },
): Promise<Fetched> {
  try {
    const response = await fetch(url, { headers: callHeaders(url), credentials: 'same-origin', signal })
    if (!response.ok || response.body === null)
      return reportApiError(await apiErrorOf(response), new URL(url).pathname, 'GET')
    const total = Number(response.headers.get('content-length')) || null
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength
          onBytes(bytes, total)
          controller.enqueue(chunk)
        },
      }),
    )
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    const file = await new Response(counted, { headers: { 'content-type': type } }).blob()
    return { ok: true, file, name: nameOf(response.headers) }
  } catch (error) {
    if (signal.aborted) throw error
    return { ok: false, apiError: noResponse }
  }
}
