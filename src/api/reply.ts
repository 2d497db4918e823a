/**
 * An error of a call, as data: `status` is the HTTP status, or 0 without a response (`code` NoResponse). A reply that
 * doesn't fit its schema has the code UnreadableReply. `details` of a ValidationError is `{fieldPath: message}`.
 * `retryAfterSeconds` is the retry-after header; `requestId` of a server error is x-request-id.
 */
export interface ApiError {
  status: number
  code: string
  message: string
  details: Record<string, unknown>
  retryAfterSeconds: number | null
  requestId?: string
}

export type Reply<T> = { ok: true; value: T; retryAfterSeconds: number | null } | { ok: false; apiError: ApiError }

export const noResponse: ApiError = { status: 0, code: 'NoResponse', message: '', details: {}, retryAfterSeconds: null }
