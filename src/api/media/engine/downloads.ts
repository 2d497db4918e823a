/** The last segment request. `status`: of HTTP, 0 without an answer. */
export interface SegmentRequest {
  status: number
  bytes: number
  milliseconds: number
}

/** shaka's code for a request that a newer one replaced. */
const superseded = 7001

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** shaka doesn't declare these event types. Null for other types and for requests cancelled on purpose. */
export function requestOf(event: Event, type: number, now: number): SegmentRequest | null {
  if (fieldOf(event, 'requestType') !== type) return null
  const response = fieldOf(event, 'response')
  const begun = numberOf(fieldOf(fieldOf(event, 'request'), 'requestStartTime'))
  const waited = begun === 0 ? 0 : Math.max(0, now - begun)
  if (response !== undefined) {
    const data = fieldOf(response, 'data')
    const bytes = data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0
    const taken = fieldOf(response, 'timeMs')
    return {
      status: numberOf(fieldOf(response, 'status')),
      bytes,
      milliseconds: typeof taken === 'number' ? taken : waited,
    }
  }
  const isGivenUp = fieldOf(fieldOf(event, 'error'), 'code') === superseded && fieldOf(event, 'aborted') !== true
  return isGivenUp ? null : { status: numberOf(fieldOf(event, 'httpResponseCode')), bytes: 0, milliseconds: waited }
}

/** URL and HTTP status of a refused request; null if it succeeded or wasn't answered. */
export function refusedOf(event: Event): { address: string; status: number } | null {
  const status = numberOf(fieldOf(event, 'httpResponseCode'))
  const data = fieldOf(fieldOf(event, 'error'), 'data')
  const [asked, , , , , answered]: unknown[] = Array.isArray(data) ? data : []
  const address = answered ?? asked
  return status === 0 || typeof address !== 'string' ? null : { address, status }
}
