import { fromPromise } from 'xstate'
import { getStream } from '../../api/resources/stream.ts'
import { streamMachine } from '../../machines/stream/stream.machine.ts'
import { poll } from '../shared/poll.ts'
import { changeStatus } from './change-status.ts'

export const stream = streamMachine.provide({
  actors: {
    fetchStream: fromPromise(({ input, signal }) => getStream(input.uid, input, signal)),
    changeStatus,
    poll,
  },
})
