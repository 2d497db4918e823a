import { createBusyRetry } from '../../api/busy-retry.ts'

export const patiently = createBusyRetry(() => performance.now())
