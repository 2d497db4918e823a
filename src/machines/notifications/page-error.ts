import type { ApiError } from '../../api/reply.ts'
import { isRedirected } from '../api-errors.ts'
import { raiseToast, type Telling } from './toast.ts'

/**
 * What a page's own question is refused for goes to the toasts too (docs/wire.md §5; docs/behaviour.md §4.5), besides
 * the words in the page: once for a run of failures, of which `known` is what is known already. Not where one is led
 * away: 401, 404, 423. It has no key, so that where a toast says the same already, that the server is away for one, it
 * is not said twice.
 */
export function tellPageApiError(machine: Telling, apiError: ApiError | null, known: ApiError | null = null): void {
  if (apiError === null || known !== null || apiError.status === 404 || isRedirected(apiError)) return
  raiseToast(machine, { tone: 'error', code: apiError.code })
}

interface Taking extends Telling {
  enqueue: Telling['enqueue'] & { assign: (refused: { apiError: ApiError }) => void }
}

/** Keeps in the context why a page's own question was refused, and tells it. */
export function takePageApiError(machine: Taking, apiError: ApiError, known: ApiError | null = null): void {
  machine.enqueue.assign({ apiError })
  tellPageApiError(machine, apiError, known)
}
