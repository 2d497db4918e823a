import type { ControllerReport } from '../../api/media/controller/media-controller.ts'

/** 1 s, 2 s, 4 s… up to 10 s, so that whoever waits sees the picture soon after it can be had; the wiring adds the jitter. */
export const retryPauseMs = (attempts: number): number => Math.min(10_000, 1000 * 2 ** Math.max(0, attempts - 1))

type Failed = Extract<ControllerReport, { type: 'engine.failed' }>

/** Where a failure leads: to another attempt, unless waiting can't mend it. */
export function failed() {
  const params = ({ event: { failure, at, codec = null } }: { event: Failed }) => ({ failure, at, codec })
  const actions = { type: 'takeFailure' as const, params }
  return [
    { guard: { type: 'isUnplayable' as const, params }, target: '#media.unplayable' as const, actions },
    { guard: { type: 'isRefused' as const, params }, target: '#media.refused' as const, actions },
    { target: '#media.interrupted' as const, actions },
  ]
}
