import { assign, fromCallback, sendParent, setup, stateIn } from 'xstate'

/** The interval between two polls, and its maximum when replies take longer. */
export type PollInput = { readonly intervalMs: number; readonly maxIntervalMs: number }

export type PollEvent =
  /** The parent received an answer, or an error. */
  | { readonly type: 'poll.answered' }
  /** The server requires this pause (`retry-after`). */
  | { readonly type: 'poll.delayed'; readonly seconds: number }
  /** Polls at once. */
  | { readonly type: 'poll.requested' }
  | { readonly type: 'page.hidden' }
  | { readonly type: 'page.shown' }

/** Sent to the parent. `due`: send the next request; `rested`: abort the request, as the page is hidden. */
export type PollReport = { readonly type: 'poll.due' } | { readonly type: 'poll.rested' }

type Context = PollInput & {
  /** The present interval. */
  readonly currentMs: number
  /** The pause that the server requires. */
  readonly delayMs: number
}

const due = { target: '#poll.active', reenter: true, actions: 'notifyDue' } as const

/**
 * Notifies its parent when to poll. The next poll is due an interval after the last one; if that isn't answered by
 * then, the parent aborts it, and the interval doubles until an answer arrives. No poll is due while the page is
 * hidden, and one at once when it is shown again, but never before the end of a pause that the server requires
 * (`paused`).
 */
export const pollMachine = setup({
  types: { context: {} as Context, events: {} as PollEvent, input: {} as PollInput },
  actors: { visibility: fromCallback(() => undefined) },
  actions: {
    notifyDue: sendParent({ type: 'poll.due' } satisfies PollReport),
    notifyRested: sendParent({ type: 'poll.rested' } satisfies PollReport),
    doubleInterval: assign({ currentMs: ({ context }) => Math.min(context.maxIntervalMs, context.currentMs * 2) }),
    resetInterval: assign({ currentMs: ({ context }) => context.intervalMs }),
    assignDelay: assign(({ context }, { seconds }: { seconds: number }) => ({
      delayMs: Math.max(context.intervalMs, seconds * 1000),
    })),
  },
  guards: { isPageHidden: stateIn({ paused: 'hidden' }) },
  delays: {
    interval: ({ context }) => context.currentMs,
    normalInterval: ({ context }) => context.intervalMs,
    pause: ({ context }) => context.delayMs,
  },
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
        'poll.delayed': { target: 'paused', actions: { type: 'assignDelay', params: ({ event }) => event } },
        'page.hidden': { target: 'resting', actions: 'notifyRested' },
      },
      states: {
        unanswered: {
          on: { 'poll.answered': { target: 'answered', actions: 'resetInterval' } },
        },
        /** After a lengthened interval the next poll is due an interval after the answer. */
        answered: { after: { normalInterval: due } },
      },
      after: {
        interval: [{ guard: stateIn({ active: 'unanswered' }), ...due, actions: ['doubleInterval', 'notifyDue'] }, due],
      },
    },
    paused: {
      after: { pause: [{ guard: 'isPageHidden', target: 'resting' }, due] },
      initial: 'shown',
      states: {
        shown: { on: { 'page.hidden': 'hidden' } },
        hidden: { on: { 'page.shown': 'shown' } },
      },
    },
    resting: { on: { 'page.shown': due } },
  },
})
