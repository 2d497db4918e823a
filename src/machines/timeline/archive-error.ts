import type { ApiError } from '../../api/reply.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import type { ToastSender } from '../notifications/toast.ts'

/** Health reports a server that doesn't answer or is unavailable, the player that the archive is forbidden. */
const isReportedElsewhere = ({ status }: ApiError): boolean => status === 0 || status === 403 || status > 500

/** For `enqueueActions`: the toast of a refused or unreadable answer about the archive, once for consecutive ones. */
export function notifyArchiveApiError(
  machine: ToastSender,
  apiError: ApiError | null,
  previous: ApiError | null,
): void {
  if (apiError !== null && !isReportedElsewhere(apiError)) notifyPageApiError(machine, apiError, previous)
}
