import type { ApiError, Reply } from '../api/reply.ts'

/** Stands for a fault of the console itself, such as an actor that threw. */
export const unknownApiError: ApiError = { status: 0, code: '', message: '', details: {}, retryAfterSeconds: null }

/** There was no response (docs/behaviour.md §4.5). */
export const noResponse: ApiError = { ...unknownApiError, code: 'NoResponse' }

export const apiErrorOf = (reply: Reply<unknown>): ApiError => (reply.ok ? unknownApiError : reply.apiError)

interface WithReply {
  event: { output: Reply<unknown> }
}

const apiErrorAction = <Type extends string>(type: Type) => ({
  refused: {
    type,
    params: ({ event }: WithReply) => ({ apiError: apiErrorOf(event.output) }),
  } as const,
  broken: { type, params: { apiError: unknownApiError } } as const,
})

/** Actions after a request failed: `…Refusal` if the reply is an ApiError, `…Fault` if the actor threw. */
export const { refused: handleRefusal, broken: handleFault } = apiErrorAction('handleApiError')
export const { refused: raiseRefusal, broken: raiseFault } = apiErrorAction('raiseApiError')
export const { refused: delayPollAfterRefusal } = apiErrorAction('delayPoll')

/** No response, status 500 or above (docs/behaviour.md §4.5), or a reply that can't be read. */
export const isOutage = ({ status, code }: ApiError): boolean =>
  status === 0 || status >= 500 || code === 'UnreadableReply'

/** 401 leads to sign-in and 423 to server initialization (docs/behaviour.md §3), so neither is shown as an error. */
export const isRedirected = ({ status }: ApiError): boolean => status === 401 || status === 423
