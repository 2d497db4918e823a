/** The last request of a segment. `status` is HTTP's, 0 where nothing answered. */
export interface SegmentRequest {
  status: number
  bytes: number
  milliseconds: number
}

/** The engine's word for a request that a newer one made needless. */
const superseded = 7001

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** shaka doesn't declare the types of these events. Null for what isn't of `type`, or was given up on purpose. */
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

/** Where a request was refused: the address that said so, and HTTP's status; null for what came, or wasn't answered. */
export function refusedOf(event: Event): { address: string; status: number } | null {
  const status = numberOf(fieldOf(event, 'httpResponseCode'))
  const data = fieldOf(fieldOf(event, 'error'), 'data')
  const [asked, , , , , answered]: unknown[] = Array.isArray(data) ? data : []
  const address = answered ?? asked
  return status === 0 || typeof address !== 'string' ? null : { address, status }
}
