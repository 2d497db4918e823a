import { fromPromise } from 'xstate'
import { getStream, pauseStream, resumeStream } from '../../api/resources/stream.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { poll } from '../shared/poll.ts'

/** A stream's status, polled from the server. */
export const stream = streamMachine.provide({
  actors: {
    fetchStream: fromPromise(({ input, signal }) => getStream(input.uid, input, signal)),
    pause: fromPromise(({ input, signal }) => pauseStream(input.uid, signal)),
    resume: fromPromise(({ input, signal }) => resumeStream(input.uid, signal)),
    poll,
  },
})
