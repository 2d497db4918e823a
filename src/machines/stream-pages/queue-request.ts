import type { Reply } from '../../api/reply.ts'
import { unknownApiError } from '../api-errors.ts'

/**
 * The transitions after a request for the first item of a queue: the machine's action `assignOutcome` takes it from the
 * queue, and `deciding` goes on with the next.
 */
export const afterQueueRequest = <Value>() =>
  ({
    onDone: {
      target: 'deciding',
      actions: {
        type: 'assignOutcome',
        params: ({ event }: { event: { output: Reply<Value> } }) => ({ reply: event.output }),
      },
    },
    onError: {
      target: 'deciding',
      actions: { type: 'assignOutcome', params: { reply: { ok: false, apiError: unknownApiError } } },
    },
  }) as const
