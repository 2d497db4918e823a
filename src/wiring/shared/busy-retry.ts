import { createBusyRetry } from '../../api/busy-retry.ts'

export const withBusyRetry = createBusyRetry(() => performance.now())
