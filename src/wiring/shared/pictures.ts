import { createPatience } from '../../api/patience.ts'

/** Shares one back-off among all picture requests. */
export const patiently = createPatience(() => performance.now())
