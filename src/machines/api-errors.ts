import type { ApiError, Reply } from '../api/reply.ts'

/** How a fault of the console itself is reported. */
export const unknownApiError: ApiError = { status: 0, code: '', message: '', details: {}, retryAfterSeconds: null }

/** The error of a machine that waited in vain: no response at all (docs/behaviour.md §3). */
export const noResponse: ApiError = { ...unknownApiError, code: 'NoResponse' }

export const apiErrorOf = (reply: Reply<unknown>): ApiError => (reply.ok ? unknownApiError : reply.apiError)

interface Refused {
  event: { output: Reply<unknown> }
}

const apiErrorAction = <Type extends string>(type: Type) => ({
  refused: {
    type,
    params: ({ event }: Refused) => ({ apiError: apiErrorOf(event.output) }),
  } as const,
  broken: { type, params: { apiError: unknownApiError } } as const,
})

/** Actions of a transition whose request was refused, or whose actor threw. */
export const { refused: handleRefusal, broken: handleFault } = apiErrorAction('handleApiError')
export const { refused: raiseRefusal, broken: raiseFault } = apiErrorAction('raiseApiError')

/** No response, status 500 or above (docs/behaviour.md §4.5), or a reply that can't be read. */
export const isOutage = ({ status, code }: ApiError): boolean =>
  status === 0 || status >= 500 || code === 'UnreadableReply'

/** 401 leads to sign-in and 423 to init (docs/behaviour.md §3); neither raises a toast. */
export const isRedirected = ({ status }: ApiError): boolean => status === 401 || status === 423
