import { createPatience } from '../../api/patience.ts'

export const patiently = createPatience(() => performance.now())
