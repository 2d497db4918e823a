import { assign, fromPromise, setup } from 'xstate'
import { notProvided } from '../not-provided.ts'

type Event = { type: 'copy.requested'; text: string }

/**
 * Copying to the clipboard: a press writes the text, and for two seconds one is told that it is there. Where the browser
 * refuses, one is told to copy by hand.
 */
export const copyingMachine = setup({
  types: { context: {} as { text: string }, events: {} as Event },
  actors: { writeClipboard: fromPromise<void, { text: string }>(notProvided) },
  delays: { praise: 2000 },
}).createMachine({
  id: 'copying',
  context: { text: '' },
  initial: 'ready',
  on: { 'copy.requested': { target: '.writing', actions: assign({ text: ({ event }) => event.text }) } },
  states: {
    ready: {},
    writing: {
      invoke: {
        id: 'writeClipboard',
        src: 'writeClipboard',
        input: ({ context }) => ({ text: context.text }),
        onDone: 'copied',
        onError: 'failed',
      },
    },
    copied: { after: { praise: 'ready' } },
    failed: {},
  },
})
