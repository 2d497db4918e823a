import { fromPromise } from 'xstate'
import { pauseStream, resumeStream } from '../../api/resources/stream.ts'
import type { StatusChange } from '../../machines/stream/stream.events.ts'

export const changeStatus = fromPromise(
  ({ input: { uid, change }, signal }: { input: StatusChange; signal: AbortSignal }) =>
    change === 'pause' ? pauseStream(uid, signal) : resumeStream(uid, signal),
)
