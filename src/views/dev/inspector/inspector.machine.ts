import { assign, setup } from 'xstate'

export type Dock = 'right' | 'bottom' | 'window'

export type InspectorEvent =
  | { type: 'inspector.toggled' }
  | { type: 'inspector.closed' }
  | { type: 'dock.chosen'; dock: Dock }
  | { type: 'actor.chosen'; actor: string }
  /** `seq` is that of the newest entry. */
  | { type: 'pause.toggled'; seq: number }
  | { type: 'entry.chosen'; seq: number; actor: string }
  | { type: 'follow.requested' }
  | { type: 'filter.typed'; words: string }
  | { type: 'scope.toggled' }
  | { type: 'draft.begun'; event: string; text: string }
  | { type: 'draft.typed'; text: string }
  | { type: 'draft.sent' }

interface Context {
  /** The key of the actor whose chart is shown; null until one is selected. */
  actor: string | null
  /** The `seq` of the entry after which the state is shown; null for the current state. */
  seq: number | null
  /** The filter of the log. */
  words: string
  /** The log shows only entries of the selected actor. */
  isScoped: boolean
  draft: { event: string; text: string }
}

/**
 * The inspector for developers. Three regions: where it is (closed, docked, or in its own window), which state it shows
 * (the current one, the one at the pause, or the one after a selected entry of the log), and the event being edited for
 * the selected actor.
 */
export const inspectorMachine = setup({
  types: { context: {} as Context, events: {} as InspectorEvent },
  actions: {
    sendDraft: (_args, _params: { actor: string | null; event: string; text: string }) => undefined,
    assignMoment: assign((_, { seq }: { seq: number }) => ({ seq })),
    assignActor: assign((_, { actor }: { actor: string }) => ({ actor })),
    assignDraft: assign((_, { event, text }: { event: string; text: string }) => ({ draft: { event, text } })),
    assignText: assign(({ context }, { text }: { text: string }) => ({ draft: { ...context.draft, text } })),
    forgetMoment: assign({ seq: null }),
  },
  guards: {
    isRight: (_, { dock }: { dock: Dock }) => dock === 'right',
    isBottom: (_, { dock }: { dock: Dock }) => dock === 'bottom',
    isReadable: ({ context }) => payloadOf(context.draft.text) !== null,
  },
}).createMachine({
  id: 'inspector',
  type: 'parallel',
  context: { actor: null, seq: null, words: '', isScoped: false, draft: { event: '', text: '' } },
  on: {
    'actor.chosen': { actions: { type: 'assignActor', params: ({ event }) => event } },
    'filter.typed': { actions: assign({ words: ({ event }) => event.words }) },
    'scope.toggled': { actions: assign({ isScoped: ({ context }) => !context.isScoped }) },
  },
  states: {
    dock: {
      initial: 'closed',
      states: {
        closed: { on: { 'inspector.toggled': 'shown.last' } },
        shown: {
          initial: 'right',
          on: {
            'inspector.toggled': 'closed',
            'inspector.closed': 'closed',
            'dock.chosen': [
              { guard: { type: 'isRight', params: ({ event }) => event }, target: '.right' },
              { guard: { type: 'isBottom', params: ({ event }) => event }, target: '.bottom' },
              { target: '.window' },
            ],
          },
          states: { right: {}, bottom: {}, window: {}, last: { type: 'history' } },
        },
      },
    },
    time: {
      initial: 'following',
      on: {
        'entry.chosen': {
          target: '.travelling',
          actions: [
            { type: 'assignMoment', params: ({ event }) => event },
            { type: 'assignActor', params: ({ event }) => event },
          ],
        },
      },
      states: {
        following: {
          entry: 'forgetMoment',
          on: {
            'pause.toggled': { target: 'paused', actions: { type: 'assignMoment', params: ({ event }) => event } },
          },
        },
        paused: { on: { 'pause.toggled': 'following', 'follow.requested': 'following' } },
        travelling: { on: { 'pause.toggled': 'following', 'follow.requested': 'following' } },
      },
    },
    draft: {
      initial: 'idle',
      on: { 'draft.begun': { target: '.writing', actions: { type: 'assignDraft', params: ({ event }) => event } } },
      states: {
        idle: {},
        writing: {
          on: {
            'draft.typed': { actions: { type: 'assignText', params: ({ event }) => event } },
            'draft.sent': [
              {
                guard: 'isReadable',
                actions: { type: 'sendDraft', params: ({ context }) => ({ actor: context.actor, ...context.draft }) },
              },
              { target: 'unreadable' },
            ],
          },
        },
        unreadable: {
          on: { 'draft.typed': { target: 'writing', actions: { type: 'assignText', params: ({ event }) => event } } },
        },
      },
    },
  },
})

/** Parses the fields of an event; null if the text isn't a JSON object. */
export function payloadOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
