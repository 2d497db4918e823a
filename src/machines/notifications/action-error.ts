import type { Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { errorToast, type Toast } from './toast.ts'

/** Whether an object was deleted, by this request or before it. */
export const isGone = (_args: unknown, { reply }: { reply: Reply<object> }): boolean =>
  reply.ok || reply.apiError.status === 404

/** The toast after a deletion: of success, or that the object was gone already (docs/behaviour.md §4.5). */
const deletionToast = (reply: Reply<object>, code: string): Toast =>
  reply.ok ? { tone: 'success', code } : errorToast(apiErrorOf(reply))

/** The action of a page that raises it; `code` is that of the success. */
export const raiseDeleted = (code: string) =>
  ({
    type: 'raiseToast',
    params: ({ event }: { event: { output: Reply<object> } }) => deletionToast(event.output, code),
  }) as const

/** The transition after a page's command was refused; the page's action `raiseToast` raises the toast. */
export const actionRefused = <Target extends string>(target: Target) =>
  ({
    target,
    actions: {
      type: 'raiseToast',
      params: ({ event }: { event: { output: Reply<unknown> } }) => errorToast(apiErrorOf(event.output)),
    },
  }) as const

/** The same after the actor threw. */
export const actionBroken = <Target extends string>(target: Target) =>
  ({ target, actions: { type: 'raiseToast', params: errorToast(unknownApiError) } }) as const

/** The transitions after a request to delete an object; the machine's guard `isGone` is the one above. */
export const afterDeletion = <Target extends string, const Actions>(target: Target, actions: Actions) =>
  ({
    onDone: [
      {
        guard: {
          type: 'isGone',
          params: ({ event }: { event: { output: Reply<object> } }) => ({ reply: event.output }),
        },
        target,
        actions,
      },
      actionRefused(target),
    ],
    onError: actionBroken(target),
  }) as const
