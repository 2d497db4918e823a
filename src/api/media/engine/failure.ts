import { retryAfterOf } from '../../retry-after.ts'

/**
 * Why media doesn't play. `codec`: the browser can't decode it. `expired`: the session ended. `missing`: no such
 * playlist. `empty`: a playlist without segments. `unreadable`: not a playlist, or broken media. `network`: no answer
 * in time. `busy`: the server is at its limit. `server`: another server error. `stalled`: no progress for no known
 * reason.
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

export interface EngineError {
  code: number
  data: readonly unknown[]
}

const superseded = new Set([7000, 7001, 7002, 7003])
const unplayable = new Set([4032, 4012])
const silent = new Set([1002, 1003, 1010])

function failureOfStatus(status: number): MediaFailure {
  if (status === 401) return 'expired'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'missing'
  if (status === 503) return 'busy'
  return status === 0 ? 'network' : 'server'
}

/** Null for an error that only means that a newer request replaced the old one. */
export function failureOf(error: EngineError): MediaFailure | null {
  if (superseded.has(error.code)) return null
  if (error.code === 1001) return failureOfStatus(Number(error.data[1]))
  if (error.code === 0 || silent.has(error.code)) return 'network'
  if (unplayable.has(error.code)) return 'codec'
  if (error.code === 4053) return 'empty'
  return 'unreadable'
}

/** The longest wait that the server may ask for; a longer one would look dead. */
const maxPauseSeconds = 600

/** Seconds to wait before a retry, as the server asked; null if it didn't. */
export function pauseOf({ code, data }: EngineError): number | null {
  const headers = code === 1001 ? data[3] : null
  if (typeof headers !== 'object' || headers === null) return null
  const get = (name: string) => {
    const text: unknown = Reflect.get(headers, name)
    return typeof text === 'string' ? text : null
  }
  const seconds = retryAfterOf({ get })
  return seconds === null ? null : Math.min(seconds, maxPauseSeconds)
}

/** Reads any thrown value as an engine error if it is one. */
export function engineErrorOf(thrown: unknown): EngineError {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return { code: 0, data: [] }
  const data = 'data' in thrown && Array.isArray(thrown.data) ? thrown.data : []
  return { code: Number(thrown.code), data }
}
