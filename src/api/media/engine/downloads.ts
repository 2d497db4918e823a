/** A finished request of a segment. `status`: of HTTP, 0 without a response; `milliseconds`: how long it took. */
export interface SegmentRequest {
  status: number
  bytes: number
  milliseconds: number
}

/** shaka's error code OPERATION_ABORTED. */
const operationAborted = 7001

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/**
 * Reads shaka's events `downloadcompleted` and `downloadfailed`, whose types it doesn't declare. `type`: the type of
 * the requests to read, as shaka has it. Null for requests of another type and for those that shaka cancelled; those
 * that it `aborted` after a timeout have failed.
 */
export function segmentRequestOf(event: Event, type: number, now: number): SegmentRequest | null {
  if (fieldOf(event, 'requestType') !== type) return null
  const response = fieldOf(event, 'response')
  const startedAt = numberOf(fieldOf(fieldOf(event, 'request'), 'requestStartTime'))
  const elapsed = startedAt === 0 ? 0 : Math.max(0, now - startedAt)
  if (response !== undefined) {
    const data = fieldOf(response, 'data')
    const bytes = data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0
    const timeMs = fieldOf(response, 'timeMs')
    return {
      status: numberOf(fieldOf(response, 'status')),
      bytes,
      milliseconds: typeof timeMs === 'number' ? timeMs : elapsed,
    }
  }
  const isCancelled =
    fieldOf(fieldOf(event, 'error'), 'code') === operationAborted && fieldOf(event, 'aborted') !== true
  return isCancelled ? null : { status: numberOf(fieldOf(event, 'httpResponseCode')), bytes: 0, milliseconds: elapsed }
}

/**
 * The URL (after redirects) and HTTP status of a refused request; null if it succeeded or got no response. The data of
 * shaka's BAD_HTTP_STATUS begin with the requested URL; the sixth is the final one.
 */
export function refusalOf(event: Event): { url: string; status: number } | null {
  const status = numberOf(fieldOf(event, 'httpResponseCode'))
  const data = fieldOf(fieldOf(event, 'error'), 'data')
  const [requestUrl, , , , , responseUrl]: unknown[] = Array.isArray(data) ? data : []
  const url = responseUrl ?? requestUrl
  return status === 0 || typeof url !== 'string' ? null : { url, status }
}

/** The first byte that a request asks for, by its header `Range`. */
export const firstByteOf = (headers: Readonly<Record<string, string>>): number =>
  Number(/^bytes=(\d+)-/.exec(headers['Range'] ?? '')?.[1] ?? 0)
