import type { ApiError } from '../api/reply.ts'

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Milliseconds before the next attempt: doubled with each failure, and never less than the server asked for. */
export function backoff(failures: number, { least, most }: Bounds, apiError: ApiError | null = null): number {
  const pause = Math.min(most, least * 2 ** Math.max(0, failures - 1))
  return Math.max(pause, (apiError?.retryAfterSeconds ?? 0) * 1000)
}
