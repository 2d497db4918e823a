import type { ApiError } from '../api/reply.ts'

interface Bounds {
  readonly minMs: number
  readonly maxMs: number
}

/** Milliseconds before the next attempt: doubled with each failure, and at least the server's `Retry-After`. */
export function backoff(failures: number, { minMs, maxMs }: Bounds, apiError: ApiError | null = null): number {
  const pause = Math.min(maxMs, minMs * 2 ** Math.max(0, failures - 1))
  return Math.max(pause, (apiError?.retryAfterSeconds ?? 0) * 1000)
}
