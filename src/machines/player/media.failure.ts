import type { ControllerReport } from '../../api/media/controller/media-controller.ts'
import { backoff } from '../backoff.ts'

/**
 * The pause before the next attempt to load: short, so that playback resumes soon after the server is back, but at
 * least its `retry-after`. `spread` is a factor around 1 that varies the pauses, so that many pictures don't retry all
 * at once.
 */
export const retryPauseMs = (attempts: number, retryAfterSeconds: number | null, spread = 1): number =>
  Math.max(backoff(attempts, { minMs: 1000, maxMs: 10_000 }) * spread, (retryAfterSeconds ?? 0) * 1000)

type Failed = Extract<ControllerReport, { type: 'engine.failed' }>

/**
 * The transitions after a failure: to another rendition, to another attempt, or to an error that waiting can't cure.
 */
export function failed() {
  const params = ({ event: { failure, at, codec = null, retryAfterSeconds = null } }: { event: Failed }) => ({
    failure,
    at,
    codec,
    retryAfterSeconds,
  })
  const actions = { type: 'assignFailure' as const, params }
  const withRefusal = [actions, 'markRenditionRefused' as const] as const
  return [
    {
      guard: { type: 'hasOtherRendition' as const, params },
      target: '#media.loading' as const,
      actions: withRefusal,
    },
    { guard: { type: 'isUnplayable' as const, params }, target: '#media.unplayable' as const, actions: withRefusal },
    { guard: { type: 'isForbidden' as const, params }, target: '#media.forbidden' as const, actions },
    { target: '#media.interrupted' as const, actions },
  ]
}
