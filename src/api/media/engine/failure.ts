import { retryAfterOf } from '../../retry-after.ts'

/**
 * Why media doesn't play. `codec`: the browser can't decode it. `forbidden`: no right to it. `expired`: the session has
 * ended. `missing`: no such playlist or segment. `empty`: a playlist without segments. `unreadable`: not a playlist, or
 * broken media. `network`: no response, a timeout, or an error that isn't shaka's. `busy`: the server is at its limit.
 * `server`: another HTTP error. `stalled`: no progress, reason unknown.
 */
export type MediaFailure =
  | 'codec'
  | 'forbidden'
  | 'expired'
  | 'missing'
  | 'empty'
  | 'unreadable'
  | 'network'
  | 'busy'
  | 'server'
  | 'stalled'

/** An error of shaka (`shaka.util.Error`); `code` 0 for any other thrown value. */
export interface EngineError {
  code: number
  data: readonly unknown[]
}

const badHttpStatus = 1001
const emptyMediaPlaylist = 4053
/** LOAD_INTERRUPTED, OPERATION_ABORTED, NO_VIDEO_ELEMENT, OBJECT_DESTROYED: a newer request replaced this one. */
const superseded = new Set([7000, 7001, 7002, 7003])
/** CONTENT_UNSUPPORTED_BY_BROWSER, RESTRICTIONS_CANNOT_BE_MET. */
const unplayable = new Set([4032, 4012])
/** HTTP_ERROR, TIMEOUT, ATTEMPTS_EXHAUSTED. */
const withoutResponse = new Set([1002, 1003, 1010])

function failureOfStatus(status: number): MediaFailure {
  if (status === 401) return 'expired'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'missing'
  if (status === 503) return 'busy'
  return status === 0 ? 'network' : 'server'
}

/** Null if a newer request replaced the one that failed. */
export function failureOf(error: EngineError): MediaFailure | null {
  if (superseded.has(error.code)) return null
  if (error.code === badHttpStatus) return failureOfStatus(Number(error.data[1]))
  if (error.code === 0 || withoutResponse.has(error.code)) return 'network'
  if (unplayable.has(error.code)) return 'codec'
  if (error.code === emptyMediaPlaylist) return 'empty'
  return 'unreadable'
}

/** Limits a server's retry-after: after a longer one the player would look dead. */
const maxRetryAfterSeconds = 600

/** The server's retry-after in seconds, limited; null without one. */
export function retryAfterOfError({ code, data }: EngineError): number | null {
  const headers = code === badHttpStatus ? data[3] : null
  if (typeof headers !== 'object' || headers === null) return null
  const get = (name: string) => {
    const text: unknown = Reflect.get(headers, name)
    return typeof text === 'string' ? text : null
  }
  const seconds = retryAfterOf({ get })
  return seconds === null ? null : Math.min(seconds, maxRetryAfterSeconds)
}

export function engineErrorOf(thrown: unknown): EngineError {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return { code: 0, data: [] }
  const data = 'data' in thrown && Array.isArray(thrown.data) ? thrown.data : []
  return { code: Number(thrown.code), data }
}
