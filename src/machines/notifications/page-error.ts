import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, isRedirected, handleFault } from '../api-errors.ts'
import { errorToast, raiseToast, type ToastSender } from './toast.ts'

/**
 * The error of a page's own request is also shown in a toast (docs/wire.md §5; docs/behaviour.md §4.5), besides the
 * words in the page: once for a run of failures, of which `known` is the last. Not for 401, 404 and 423, which lead
 * away. It has no key, so that it isn't repeated if a toast says the same already, such as that the server is away.
 */
export function notifyPageApiError(
  machine: ToastSender,
  apiError: ApiError | null,
  known: ApiError | null = null,
): void {
  if (apiError === null || known !== null || apiError.status === 404 || isRedirected(apiError)) return
  raiseToast(machine, errorToast(apiError))
}

interface Taking extends ToastSender {
  enqueue: ToastSender['enqueue'] & { assign: (refused: { apiError: ApiError }) => void }
}

/** For `enqueueActions`: keeps why the page can't show its subject, and raises a toast. */
export function handlePageApiError(
  machine: Taking,
  { apiError }: { apiError: ApiError },
  known: ApiError | null = null,
): void {
  machine.enqueue.assign({ apiError })
  notifyPageApiError(machine, apiError, known)
}

const refusedBy = <Output>(replyOf: (output: Output) => Reply<unknown>) => {
  const apiErrorIn = ({ event }: { event: { output: Output } }) => apiErrorOf(replyOf(event.output))
  return [
    {
      guard: (args: { event: { output: Output } }) => apiErrorIn(args).status === 404,
      target: 'failed' as const,
      actions: 'notifyMissing' as const,
    },
    {
      target: 'failed' as const,
      actions: {
        type: 'handleApiError' as const,
        params: (args: { event: { output: Output } }) => ({ apiError: apiErrorIn(args) }),
      },
    },
  ] as const
}

/** The transitions of a page whose own request was refused; with a 404 the page is missing. */
export const pageRefused = refusedBy((reply: Reply<unknown>) => reply)

/** The same for an answer that comes with the time of asking. */
export const listRefused = refusedBy(({ reply }: { reply: Reply<unknown> }) => reply)

export const pageBroken = {
  target: 'failed',
  actions: handleFault,
} as const
