/**
 * What became of a call. An error is an expected outcome and so is data: `status` is the HTTP status, or 0 when
 * nothing answered (`code` NoResponse); a reply that doesn't fit its schema has the code UnreadableReply.
 * `details` of a ValidationError is `{fieldPath: message}`. `retryAfterSeconds` comes from the
 * retry-after header, `requestId`, of an error of the server's own, from x-request-id.
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
