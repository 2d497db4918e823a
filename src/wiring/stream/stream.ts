import { fromPromise } from 'xstate'
import { getStream, pauseStream, resumeStream } from '../../api/resources/stream.ts'
import type { StatusChange } from '../../machines/stream/stream.events.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { poll } from '../shared/poll.ts'

export const changeStatus = fromPromise(
  ({ input: { uid, change }, signal }: { input: StatusChange; signal: AbortSignal }) =>
    change === 'pause' ? pauseStream(uid, signal) : resumeStream(uid, signal),
)

export const stream = streamMachine.provide({
  actors: {
    fetchStream: fromPromise(({ input, signal }) => getStream(input.uid, input, signal)),
    changeStatus,
    poll,
  },
})
