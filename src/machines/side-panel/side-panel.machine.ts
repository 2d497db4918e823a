import { assign, enqueueActions, fromCallback, sendParent, setup } from 'xstate'

export interface SidePanelInput {
  /** Whether it starts open; on a small screen it doesn't. */
  readonly isOpen: boolean
  /** The panel covers the page on every screen, so that a press outside closes it. */
  readonly isFixed: boolean
  readonly width: number
  readonly height: number
}

export type SidePanelEvent =
  | { type: 'panel.toggled' }
  | { type: 'panel.dismissed' }
  | { type: 'panel.pressedOutside' }
  | { type: 'viewport.resized'; width: number; height: number }

export interface SidePanelReport {
  readonly type: 'panel.changed'
  readonly isOpen: boolean
}

interface Context {
  /** As in the input; later the states say whether the panel is open. */
  isOpen: boolean
  isFixed: boolean
  isSmall: boolean
  /** The size of the viewport when it last changed; `isSmall` follows after the debounce. */
  measured: { width: number; height: number }
}

/** docs/behaviour.md §4.3: height at most 600 or width under 615. */
export const isSmallScreen = ({ width, height }: { width: number; height: number }): boolean =>
  height <= 600 || width < 615

const toClosing = { target: 'closing', actions: { type: 'notifyParent', params: { isOpen: false } } } as const
const closes = {
  'panel.toggled': toClosing,
  'panel.dismissed': toClosing,
  'panel.pressedOutside': { guard: 'coversPage', ...toClosing },
} as const

/**
 * A panel beside the page, or over it. It opens and closes with a short animation. It closes on a press outside if it
 * covers the page, and when the screen becomes small; the size is checked 100 ms after it last changed
 * (docs/behaviour.md §4.3).
 */
export const sidePanelMachine = setup({
  types: { context: {} as Context, events: {} as SidePanelEvent, input: {} as SidePanelInput },
  actors: { watchViewport: fromCallback(() => undefined) },
  actions: {
    notifyParent: sendParent((_args, { isOpen }: { isOpen: boolean }): SidePanelReport => ({
      type: 'panel.changed',
      isOpen,
    })),
    measure: assign(({ event }) =>
      event.type === 'viewport.resized' ? { measured: { width: event.width, height: event.height } } : {},
    ),
    assignSize: enqueueActions(({ context, enqueue }) => {
      const isSmall = isSmallScreen(context.measured)
      enqueue.assign({ isSmall })
      if (isSmall && !context.isSmall) enqueue.raise({ type: 'panel.dismissed' })
    }),
  },
  guards: {
    coversPage: ({ context }) => context.isFixed || context.isSmall,
    startsOpen: ({ context }) => context.isOpen && !context.isSmall,
  },
  delays: { animation: 160, resizeDebounce: 100 },
}).createMachine({
  id: 'sidePanel',
  context: ({ input: { isOpen, isFixed, width, height } }) => ({
    isOpen,
    isFixed,
    isSmall: isSmallScreen({ width, height }),
    measured: { width, height },
  }),
  type: 'parallel',
  invoke: { id: 'watchViewport', src: 'watchViewport' },
  states: {
    panel: {
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'startsOpen', target: 'open' }, { target: 'closed' }] },
        closed: {
          on: { 'panel.toggled': { target: 'opening', actions: { type: 'notifyParent', params: { isOpen: true } } } },
        },
        opening: { tags: 'open', after: { animation: 'open' }, on: closes },
        open: { tags: 'open', on: closes },
        closing: {
          after: { animation: 'closed' },
          on: { 'panel.toggled': { target: 'opening', actions: { type: 'notifyParent', params: { isOpen: true } } } },
        },
      },
    },
    viewport: {
      initial: 'steady',
      on: { 'viewport.resized': { target: '.settling', actions: 'measure' } },
      states: {
        steady: {},
        settling: { after: { resizeDebounce: { target: 'steady', actions: 'assignSize' } } },
      },
    },
  },
})
