import { assign } from 'xstate'
import { presetsRegion } from './ptz.presets.ts'
import { brokenTo, ptzSetup, refusedTo, standstill } from './ptz.setup.ts'

const toIdle = { onDone: [refusedTo('failing'), { target: 'idle' }], onError: brokenTo('failing') } as const

/**
 * Turns a stream's camera. The region `pad` is closed, or open while the stream announces PTZ. The region `control`
 * sends a move again and again while the user holds a direction; it sends the stop after the answer to the last move,
 * so that the stop can't overtake it, and shows a refusal until the next move. The region `presets` lists, saves and
 * deletes the camera's presets.
 */
export const ptzMachine = ptzSetup.createMachine({
  id: 'ptz',
  type: 'parallel',
  context: ({ input }) => ({
    uid: input.uid,
    abilities: null,
    velocity: standstill,
    sent: null,
    goal: { home: true },
    apiError: null,
    presets: [],
    name: '',
    removing: null,
  }),
  on: { 'abilities.changed': { actions: assign({ abilities: ({ event }) => event.abilities }) } },
  states: {
    pad: {
      initial: 'closed',
      states: {
        closed: { on: { 'pad.toggled': { guard: 'hasPtz', target: 'open' } } },
        open: { always: { guard: 'hasNoPtz', target: 'closed' }, on: { 'pad.toggled': 'closed' } },
      },
    },
    control: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'move.begun': { target: 'calling', actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'goal.chosen': { target: 'going', actions: { type: 'assignGoal', params: ({ event }) => event } },
          },
        },
        calling: {
          entry: ['clearError', assign({ sent: ({ context }) => context.velocity })],
          invoke: {
            id: 'move',
            src: 'control',
            input: ({ context: { uid, velocity } }) => ({ uid, body: { move: velocity } }),
            onDone: [refusedTo('failing'), { guard: 'isStandstill', target: 'stopping' }, { target: 'holding' }],
            onError: brokenTo('failing'),
          },
          on: {
            'move.begun': { actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'move.ended': { actions: assign({ velocity: standstill }) },
            'goal.chosen': { target: 'going', actions: { type: 'assignGoal', params: ({ event }) => event } },
          },
        },
        holding: {
          always: { guard: 'isOtherVelocity', target: 'calling' },
          after: { repeatInterval: 'calling' },
          on: {
            'move.begun': { target: 'calling', actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'move.ended': 'stopping',
            'goal.chosen': { target: 'going', actions: { type: 'assignGoal', params: ({ event }) => event } },
          },
        },
        stopping: {
          invoke: {
            id: 'stop',
            src: 'control',
            input: ({ context: { uid } }) => ({ uid, body: { stop: true } }),
            ...toIdle,
          },
          on: {
            'move.begun': { target: 'calling', actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'goal.chosen': { target: 'going', actions: { type: 'assignGoal', params: ({ event }) => event } },
          },
        },
        going: {
          entry: 'clearError',
          invoke: {
            id: 'goTo',
            src: 'control',
            input: ({ context: { uid, goal } }) => ({ uid, body: goal }),
            ...toIdle,
          },
          on: {
            'move.begun': { target: 'calling', actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'goal.chosen': {
              target: 'going',
              reenter: true,
              actions: { type: 'assignGoal', params: ({ event }) => event },
            },
          },
        },
        failing: {
          tags: 'error',
          on: {
            'move.begun': { target: 'calling', actions: { type: 'assignVelocity', params: ({ event }) => event } },
            'goal.chosen': { target: 'going', actions: { type: 'assignGoal', params: ({ event }) => event } },
          },
        },
      },
    },
    presets: presetsRegion,
  },
})
