/**
 * An error of a call, as data. `status`: the HTTP status, 0 without a response (`code` NoResponse). `code`:
 * UnreadableReply if the answer doesn't match its schema. `details` of a ValidationError: `{fieldPath: message}`.
 * `retryAfterSeconds`: the header retry-after, null without it. `requestId`: x-request-id, for status 500.
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
