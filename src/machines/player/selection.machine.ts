import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, fromPromise, sendParent, setup } from 'xstate'
import type { Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import type { RangeFacts } from './range-facts.ts'
import { markedRange, type MarkEvent, marksAfter } from './in-out-marks.ts'

/** `chunkMs`: the longest range of one request for recorded ranges. */
export type SelectionInput = { readonly uid: string; readonly chunkMs: number; readonly selection: TimeRange | null }

export type SelectionReport = { readonly type: 'selection.changed'; readonly selection: TimeRange | null }

/** `from` and `to`: the in and out marks. `facts`: null until the range has been measured. */
export type SelectionContext = {
  readonly uid: string
  readonly chunkMs: number
  readonly from: number | null
  readonly to: number | null
  readonly facts: RangeFacts | null
}

/** The result of measuring a range. */
export type Measured = Reply<RangeFacts>

const changeMarks = {
  target: '.deciding' as const,
  actions: [
    { type: 'mark' as const, params: ({ event }: { event: MarkEvent }) => ({ event }) },
    { type: 'report' as const },
  ],
}

/**
 * The in and out marks: none (`empty`), one (`begun`), or both, which mark a range (`whole`). A mark beyond the other
 * one removes that. After a pause in marking, the facts of the range are measured, and again later if that fails.
 */
export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as MarkEvent, input: {} as SelectionInput },
  actors: { measure: fromPromise<Measured, TimeRange & { uid: string; chunkMs: number }>(notProvided) },
  actions: {
    mark: assign(({ context }, { event }: { event: MarkEvent }) => ({ ...marksAfter(context, event), facts: null })),
    assignFacts: assign((_, { reply }: { reply: Measured }) => ({ facts: reply.ok ? reply.value : null })),
    report: sendParent(({ context }): SelectionReport => ({
      type: 'selection.changed',
      selection: markedRange(context),
    })),
  },
  guards: {
    isWhole: ({ context }) => markedRange(context) !== null,
    hasOneMark: ({ context }) => (context.from === null) !== (context.to === null),
    isRefused: (_, { reply }: { reply: Measured }) => !reply.ok,
  },
  delays: { editingPause: 300, retryPause: 15_000 },
}).createMachine({
  id: 'selection',
  context: ({ input: { uid, chunkMs, selection } }) => ({
    uid,
    chunkMs,
    from: selection?.from ?? null,
    to: selection?.to ?? null,
    facts: null,
  }),
  initial: 'deciding',
  on: {
    'selection.inMarked': changeMarks,
    'selection.outMarked': changeMarks,
    'selection.spanned': changeMarks,
    'selection.cleared': changeMarks,
  },
  states: {
    deciding: {
      always: [{ guard: 'isWhole', target: 'whole' }, { guard: 'hasOneMark', target: 'begun' }, { target: 'empty' }],
    },
    empty: {},
    begun: {},
    whole: {
      initial: 'settling',
      states: {
        settling: { after: { editingPause: 'measuring' } },
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measure',
            src: 'measure',
            input: ({ context: { uid, chunkMs, from, to } }) => ({ uid, chunkMs, from: from ?? 0, to: to ?? 0 }),
            onDone: [
              { guard: { type: 'isRefused', params: ({ event }) => ({ reply: event.output }) }, target: 'unmeasured' },
              {
                target: 'measured',
                actions: { type: 'assignFacts', params: ({ event }) => ({ reply: event.output }) },
              },
            ],
            onError: 'unmeasured',
          },
        },
        measured: {},
        unmeasured: { after: { retryPause: 'measuring' } },
      },
    },
  },
})
