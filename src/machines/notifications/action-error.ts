import type { ApiError, Reply } from '../../api/reply.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'

export const isGone = (_args: unknown, { reply }: { reply: Reply<object> }): boolean =>
  reply.ok || reply.apiError.status === 404

const telling = ({ code }: ApiError) => ({ tone: 'error' as const, code })

/** The transition of a page whose action was refused; its `tell` raises the toast. */
export const actionRefused = <Target extends string>(target: Target) =>
  ({
    target,
    actions: {
      type: 'tell',
      params: ({ event }: { event: { output: Reply<unknown> } }) => telling(apiErrorOf(event.output)),
    },
  }) as const

export const actionBroken = <Target extends string>(target: Target) =>
  ({ target, actions: { type: 'tell', params: telling(unknownApiError) } }) as const
