import { monotonicNow } from '../monotonic.ts'
import type { Sink } from '../media/ingest.ts'

export type VideoTime = { ms: () => number; measured: (sink: Sink) => Sink }

/** Measures how long one connection delivers video, in milliseconds, from the first fragment to the last. */
export const createVideoTime = (now = monotonicNow): VideoTime => {
  let first: number | undefined
  let last = 0
  return {
    ms: () => (first === undefined ? 0 : last - first),
    measured: (sink: Sink): Sink => ({
      ...sink,
      take: (fragment, arrivedAt) => {
        last = now()
        first ??= last
        sink.take(fragment, arrivedAt)
      },
    }),
  }
}
