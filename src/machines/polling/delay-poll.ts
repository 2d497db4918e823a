import type { ApiError } from '../../api/reply.ts'
import type { PollEvent } from './poll.machine.ts'

interface PollingMachine {
  enqueue: { sendTo: (poll: 'poll', event: PollEvent) => void }
}

/** For `enqueueActions` of a machine with the child `poll`: waits as long as the server requires (`retry-after`). */
export function delayPoll({ enqueue }: PollingMachine, { apiError }: { apiError: ApiError | null }): void {
  const seconds = apiError?.retryAfterSeconds ?? 0
  if (seconds > 0) enqueue.sendTo('poll', { type: 'poll.delayed', seconds })
}
