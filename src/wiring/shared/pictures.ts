import { createPatience } from '../../api/patience.ts'

/** Every picture is asked for with one patience: a server that is too busy for one is so for all. */
export const patiently = createPatience(() => performance.now())
