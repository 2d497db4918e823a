import { assign, fromCallback, sendParent, setup, stateIn } from 'xstate'

/** The interval, and how far it grows if replies take longer. */
export type PollInput = { readonly intervalMs: number; readonly maxIntervalMs: number }

export type PollEvent =
  | { readonly type: 'poll.answered' }
  | { readonly type: 'poll.delayed'; readonly seconds: number }
  | { readonly type: 'poll.requested' }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Sent to the parent: send the next request, or abort the request because the page is hidden. */
export type PollReport = { readonly type: 'poll.due' } | { readonly type: 'poll.rested' }

type Context = PollInput & {
  /** The interval as it has grown. */
  readonly currentMs: number
  /** The delay that the server asked for. */
  readonly delayMs: number
}

const due = { target: '#poll.active', reenter: true, actions: 'notifyDue' } as const

/**
 * Notifies its parent when to poll. The next poll is due an interval after the last, answered or not, and cancels it.
 * If replies take longer, the interval doubles until one arrives. Pauses while the page is hidden, and polls at once
 * when it is shown. A delay that the server asked for is always respected.
 */
export const pollMachine = setup({
  types: { context: {} as Context, events: {} as PollEvent, input: {} as PollInput },
  actors: { visibility: fromCallback(() => undefined) },
  actions: {
    notifyDue: sendParent({ type: 'poll.due' } satisfies PollReport),
    notifyRested: sendParent({ type: 'poll.rested' } satisfies PollReport),
    stretch: assign({ currentMs: ({ context }) => Math.min(context.maxIntervalMs, context.currentMs * 2) }),
    restore: assign({ currentMs: ({ context }) => context.intervalMs }),
    delay: assign((_args, { seconds }: { seconds: number }) => ({ delayMs: seconds * 1000 })),
  },
  guards: { isUnseen: stateIn({ paused: 'unseen' }) },
  delays: { interval: ({ context }) => context.currentMs, pause: ({ context }) => context.delayMs },
}).createMachine({
  id: 'poll',
  context: ({ input }) => ({ ...input, currentMs: input.intervalMs, delayMs: 0 }),
  invoke: { id: 'visibility', src: 'visibility' },
  initial: 'active',
  states: {
    active: {
      initial: 'unanswered',
      on: {
        'poll.requested': due,
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
        interval: [{ guard: stateIn({ active: 'unanswered' }), ...due, actions: ['stretch', 'notifyDue'] }, due],
      },
    },
    paused: {
      after: { pause: [{ guard: 'isUnseen', target: 'resting' }, due] },
      initial: 'seen',
      states: {
        seen: { on: { 'page.hidden': 'unseen' } },
        unseen: { on: { 'page.shown': 'seen' } },
      },
    },
    resting: { on: { 'page.shown': due } },
  },
})
