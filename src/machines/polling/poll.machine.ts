import { assign, fromCallback, sendParent, setup, stateIn } from 'xstate'

/** Milliseconds: the interval, and how far it stretches where answers take longer. */
export type PollInput = { readonly interval: number; readonly longest: number }

export type PollEvent =
  | { readonly type: 'poll.answered' }
  | { readonly type: 'poll.delayed'; readonly seconds: number }
  | { readonly type: 'poll.requested' }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Sent to the parent: it is time to ask again, or to drop the request because the page is hidden. */
export type PollReport = { readonly type: 'poll.due' } | { readonly type: 'poll.rested' }

type Context = PollInput & {
  readonly current: number
  readonly pause: number
}

const ask = { target: '#poll.active', reenter: true, actions: 'notifyDue' } as const

/**
 * Reports to a parent when to poll. The next poll is due an interval after the last, answered or not, and cancels it.
 * If answers take longer, the interval doubles until one arrives. Pauses while the page is hidden, and polls at once
 * when it is shown. A delay that the server asked for is always respected.
 */
export const pollMachine = setup({
  types: { context: {} as Context, events: {} as PollEvent, input: {} as PollInput },
  actors: { visibility: fromCallback(() => undefined) },
  actions: {
    notifyDue: sendParent({ type: 'poll.due' } satisfies PollReport),
    notifyRested: sendParent({ type: 'poll.rested' } satisfies PollReport),
    stretch: assign({ current: ({ context }) => Math.min(context.longest, context.current * 2) }),
    restore: assign({ current: ({ context }) => context.interval }),
    delay: assign((_args, { seconds }: { seconds: number }) => ({ pause: seconds * 1000 })),
  },
  guards: { isUnseen: stateIn({ paused: 'unseen' }) },
  delays: { interval: ({ context }) => context.current, pause: ({ context }) => context.pause },
}).createMachine({
  id: 'poll',
  context: ({ input }) => ({ ...input, current: input.interval, pause: 0 }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'active',
  states: {
    active: {
      initial: 'unanswered',
      on: {
        'poll.requested': ask,
        'poll.delayed': { target: 'paused', actions: { type: 'delay', params: ({ event }) => event } },
        'page.hidden': { target: 'resting', actions: 'notifyRested' },
      },
      states: {
        unanswered: {
          on: { 'poll.answered': { target: 'answered', actions: 'restore' } },
        },
        answered: {},
      },
      after: {
        interval: [{ guard: stateIn({ active: 'unanswered' }), ...ask, actions: ['stretch', 'notifyDue'] }, ask],
      },
    },
    paused: {
      after: { pause: [{ guard: 'isUnseen', target: 'resting' }, ask] },
      initial: 'seen',
      states: {
        seen: { on: { 'page.hidden': 'unseen' } },
        unseen: { on: { 'page.shown': 'seen' } },
      },
    },
    resting: { on: { 'page.shown': ask } },
  },
})
