import { type ActorRefFrom, assign, setup, type SnapshotFrom } from 'xstate'

export type TimelineList = 'recordings' | 'annotations' | 'motion'

/** `list`: the one that is shown, or that was shown last. */
export interface ShownList {
  readonly isOpen: boolean
  readonly list: TimelineList
}

export interface TimelineListsInput extends ShownList {
  readonly types: readonly string[]
}

export type TimelineListsEvent =
  | { readonly type: 'lists.toggled' }
  | { readonly type: 'lists.closed' }
  | { readonly type: 'list.opened'; readonly list: TimelineList }
  | { readonly type: 'annotationType.toggled'; readonly annotationType: string }

interface Context {
  startsOpen: boolean
  list: TimelineList
  /** The types of annotations that the list shows; empty: all. */
  types: readonly string[]
}

export type TimelineListsRef = ActorRefFrom<typeof timelineListsMachine>

/**
 * The lists beside a timeline, one of which is shown while they are open: recordings, annotations of the chosen types,
 * and the motion search. The wiring stores both choices for the next player.
 */
export const timelineListsMachine = setup({
  types: { context: {} as Context, events: {} as TimelineListsEvent, input: {} as TimelineListsInput },
  actions: {
    assignList: assign((_, { list }: { list: TimelineList }) => ({ list })),
    toggleType: assign(({ context: { types } }, { annotationType }: { annotationType: string }) => ({
      types: types.includes(annotationType)
        ? types.filter((type) => type !== annotationType)
        : [...types, annotationType],
    })),
    /** Provided by the wiring, as is the next one. */
    storeShown: (_, _params: ShownList) => undefined,
    storeTypes: (_, _params: { types: readonly string[] }) => undefined,
  },
  guards: { startsOpen: ({ context }) => context.startsOpen },
}).createMachine({
  id: 'timelineLists',
  context: ({ input: { isOpen, list, types } }) => ({ startsOpen: isOpen, list, types }),
  initial: 'deciding',
  on: {
    'list.opened': { target: '.open', actions: { type: 'assignList', params: ({ event }) => event } },
    'annotationType.toggled': {
      actions: [
        { type: 'toggleType', params: ({ event }) => event },
        { type: 'storeTypes', params: ({ context }) => context },
      ],
    },
  },
  states: {
    deciding: { always: [{ guard: 'startsOpen', target: 'open' }, { target: 'closed' }] },
    closed: {
      entry: { type: 'storeShown', params: ({ context: { list } }) => ({ isOpen: false, list }) },
      on: { 'lists.toggled': 'open' },
    },
    open: {
      entry: { type: 'storeShown', params: ({ context: { list } }) => ({ isOpen: true, list }) },
      on: { 'lists.toggled': 'closed', 'lists.closed': 'closed' },
    },
  },
})

type Snapshot = SnapshotFrom<typeof timelineListsMachine>

export const selectIsListOpen = (snapshot: Snapshot): boolean => snapshot.matches('open')
export const selectList = ({ context }: Snapshot): TimelineList => context.list
export const selectShownTypes = ({ context }: Snapshot): readonly string[] => context.types
export const selectIsMotionListOpen = (snapshot: Snapshot): boolean =>
  snapshot.matches('open') && snapshot.context.list === 'motion'
