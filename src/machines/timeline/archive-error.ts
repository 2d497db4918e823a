import type { ApiError } from '../../api/reply.ts'
import { noResponse } from '../api-errors.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import type { ToastSender } from '../notifications/toast.ts'

/** A proxy that gets no answer from the server sends no code. The toast is the same as that of health. */
const named = (apiError: ApiError): ApiError =>
  apiError.status > 500 && apiError.code === '' ? { ...apiError, code: noResponse.code } : apiError

/**
 * For `enqueueActions`: the toast of an archive call that failed, once for consecutive failures. The player says that
 * the archive is forbidden.
 */
export function notifyArchiveApiError(
  machine: ToastSender,
  apiError: ApiError | null,
  previous: ApiError | null,
): void {
  if (apiError !== null && apiError.status !== 403) notifyPageApiError(machine, named(apiError), previous)
}
