import { retryAfterOf } from '../../retry-after.ts'

/**
 * Why media doesn't play, in the words of the domain. `codec`: the browser can't decode it. `expired`: the session
 * ended. `missing`: no such playlist. `empty`: a playlist without segments. `unreadable`: not a playlist, or broken
 * media. `network`: nothing answered in time. `busy`: the server has no room for it now. `server`: it answered with
 * another error. `stalled`: no progress and no reason known.
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

/** Null for an error that says only that a newer request took its place. */
export function failureOf(error: EngineError): MediaFailure | null {
  if (superseded.has(error.code)) return null
  if (error.code === 1001) return failureOfStatus(Number(error.data[1]))
  if (error.code === 0 || silent.has(error.code)) return 'network'
  if (unplayable.has(error.code)) return 'codec'
  if (error.code === 4053) return 'empty'
  return 'unreadable'
}

/** A live picture that waits longer looks dead. */
const maxPauseSeconds = 600

/** Seconds to wait before another try, as the server asked; null where it didn't. */
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

/** Anything that was thrown, read as an error of the engine where it is one. */
export function engineErrorOf(thrown: unknown): EngineError {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return { code: 0, data: [] }
  const data = 'data' in thrown && Array.isArray(thrown.data) ? thrown.data : []
  return { code: Number(thrown.code), data }
}
