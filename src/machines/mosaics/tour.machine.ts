import { assign, enqueueActions, setup } from 'xstate'

/** A tile is loaded this long before its turn, if it is out of sight, so that it has a picture when it is enlarged. */
const aheadMs = 4000

export interface TourInput {
  readonly keys: readonly string[]
  /** How long each tile is enlarged; 0 for no tour. */
  readonly seconds: number
}

/** `paceChanged`: for how many seconds each tile is enlarged; 0 ends the tour. */
export type TourEvent =
  | { readonly type: 'tour.keysChanged'; readonly keys: readonly string[] }
  | { readonly type: 'tour.paceChanged'; readonly seconds: number }

type TourReport =
  | { readonly type: 'tile.enlarged'; readonly key: string | null }
  | { readonly type: 'tile.seen'; readonly key: string; readonly isSeen: boolean }

interface Context extends TourInput {
  /** The index of the enlarged tile; `keys.length` while all tiles are shown, -1 before the first turn. */
  index: number
}

const nextIndex = ({ index, keys }: Context) => (index + 1) % (keys.length + 1)

/**
 * Enlarges the tiles of a mosaic one after the other, then shows all tiles, and starts over (docs/behaviour.md §10).
 * Shortly before each turn (`preparing`) the tiles that it shows are reported as seen, so that they are loaded.
 */
export const tourMachine = setup({
  types: { context: {} as Context, events: {} as TourEvent, input: {} as TourInput },
  actions: {
    assignKeys: assign((_, { keys }: { keys: readonly string[] }) => ({ keys })),
    assignPace: assign((_, { seconds }: { seconds: number }) => ({ seconds })),
    startOver: assign({ index: -1 }),
    prepare: enqueueActions(({ context, enqueue, self }) => {
      const next = context.keys[nextIndex(context)]
      for (const key of next === undefined ? context.keys : [next])
        if (self._parent) enqueue.sendTo(self._parent, { type: 'tile.seen', key, isSeen: true } satisfies TourReport)
    }),
    turn: enqueueActions(({ context, enqueue, self }) => {
      const index = nextIndex(context)
      enqueue.assign({ index })
      const report: TourReport = { type: 'tile.enlarged', key: context.keys[index] ?? null }
      if (self._parent) enqueue.sendTo(self._parent, report)
    }),
  },
  guards: {
    isOn: ({ context: { keys, seconds } }) => seconds > 0 && keys.length > 0,
    isOtherCount: ({ context }, { keys }: { keys: readonly string[] }) => keys.length !== context.keys.length,
    isOtherPace: ({ context }, { seconds }: { seconds: number }) => seconds !== context.seconds,
  },
  delays: {
    preparePause: ({ context: { seconds } }) => Math.max(0, seconds * 1000 - aheadMs),
    turnPause: ({ context: { seconds } }) => Math.min(aheadMs, seconds * 1000),
  },
}).createMachine({
  id: 'tour',
  context: ({ input }) => ({ ...input, index: -1 }),
  initial: 'deciding',
  on: {
    'tour.keysChanged': [
      {
        guard: { type: 'isOtherCount', params: ({ event }) => event },
        target: '.deciding',
        actions: { type: 'assignKeys', params: ({ event }) => event },
      },
      { actions: { type: 'assignKeys', params: ({ event }) => event } },
    ],
    'tour.paceChanged': {
      guard: { type: 'isOtherPace', params: ({ event }) => event },
      target: '.deciding',
      actions: { type: 'assignPace', params: ({ event }) => event },
    },
  },
  states: {
    deciding: { entry: 'startOver', always: [{ guard: 'isOn', target: 'showing' }, { target: 'off' }] },
    off: {},
    showing: { after: { preparePause: { target: 'preparing', actions: 'prepare' } } },
    preparing: { after: { turnPause: { target: 'showing', actions: 'turn' } } },
  },
})
