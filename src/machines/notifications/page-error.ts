import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, isRedirected, handleFault } from '../api-errors.ts'
import { errorToast, raiseToast, type ToastSender } from './toast.ts'

/**
 * An error of a page's own request is shown in the page and in a toast (docs/wire.md §5; docs/behaviour.md §4.5). The
 * toast appears once for consecutive failures, so not if there was a `previous` error, and not for 401, 404 and 423,
 * which lead to another page. As the toast has no key, it isn't raised again while one with the same code is shown.
 */
export function notifyPageApiError(
  machine: ToastSender,
  apiError: ApiError | null,
  previous: ApiError | null = null,
): void {
  if (apiError === null || previous !== null || apiError.status === 404 || isRedirected(apiError)) return
  raiseToast(machine, errorToast(apiError))
}

interface PageMachine extends ToastSender {
  enqueue: ToastSender['enqueue'] & { assign: (refused: { apiError: ApiError }) => void }
}

/** For `enqueueActions`: assigns the error to the context and raises the toast. */
export function handlePageApiError(
  machine: PageMachine,
  { apiError }: { apiError: ApiError },
  previous: ApiError | null = null,
): void {
  machine.enqueue.assign({ apiError })
  notifyPageApiError(machine, apiError, previous)
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

/** The transitions after a page's own request was refused; a 404 means that its object doesn't exist. */
const pageRefused = refusedBy((reply: Reply<unknown>) => reply)

/** The same for a reply that comes with the time at which it arrived. */
export const listRefused = refusedBy(({ reply }: { reply: Reply<unknown> }) => reply)

/** The transition after the actor of a page's own request threw. */
export const pageBroken = {
  target: 'failed',
  actions: handleFault,
} as const

/** The transitions after a page's own request; the machine's action `assign` gets the reply. */
export const afterPageRequest =
  <Answer>() =>
  <const Target extends string, const Assign extends string, const Others extends readonly string[]>(
    target: Target,
    assign: Assign,
    ...others: Others
  ) =>
    ({
      onDone: [
        {
          guard: ({ event }: { event: { output: Reply<Answer> } }) => event.output.ok,
          target,
          actions: [
            {
              type: assign,
              params: ({ event }: { event: { output: Reply<Answer> } }) => ({ reply: event.output }),
            },
            ...others,
          ],
        },
        ...pageRefused,
      ],
      onError: pageBroken,
    }) as const
