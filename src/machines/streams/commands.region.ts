import { raiseFault, raiseRefusal } from '../api-errors.ts'
import { streamsSetup } from './streams.setup.ts'

/** Pauses and resumes single streams, one request after another. */
export const commandsRegion = streamsSetup.createStateConfig({
  initial: 'none',
  on: {
    'stream.pauseRequested': { actions: 'queueChange' },
    'stream.resumeRequested': { actions: 'queueChange' },
  },
  states: {
    none: { always: { guard: 'hasChange', target: 'changing' } },
    changing: {
      invoke: {
        id: 'changeStatus',
        src: 'changeStatus',
        input: ({ context }) => context.changes[0] ?? { uid: '', change: 'pause' },
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'none',
            actions: [
              {
                type: 'applyChange',
                params: ({ event }) => ({ status: event.output.ok ? event.output.value.status : '' }),
              },
              'endChange',
              'dropRefresh',
              'notifyPreviews',
            ],
          },
          {
            target: 'none',
            actions: ['endChange', raiseRefusal],
          },
        ],
        onError: {
          target: 'none',
          actions: ['endChange', raiseFault],
        },
      },
    },
  },
})
