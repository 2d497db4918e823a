import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, fromPromise, sendParent, setup } from 'xstate'
import { partCount } from '../clips/parts.ts'
import { notProvided } from '../not-provided.ts'
import type { RangeFacts } from './range-facts.ts'
import { localText, momentOfLocal } from './local-text.ts'
import type { Measured } from './selection.machine.ts'

/** The clip is the selection at first, without one a range around `at`. */
export type ClipInput = {
  readonly uid: string
  readonly at: number
  readonly now: number
  readonly zone: string
  /** The longest range of one file; a longer clip is downloaded in parts. */
  readonly maxSeconds: number
  /** The longest range of one request for recorded ranges. */
  readonly chunkMs: number
  readonly selection?: TimeRange | null
}

export type ClipEvent =
  /** The ends as wall-clock text, `2026-11-21 14:05:03`. */
  { readonly type: 'clip.edited'; readonly from?: string; readonly to?: string } | { readonly type: 'clip.confirmed' }

/** Reports the range to download to the parent. */
export type ClipReport = { readonly type: 'clip.chosen' } & TimeRange

interface Context {
  uid: string
  /** The moment at which the dialog opened: a clip can't end later. */
  now: number
  zone: string
  maxSeconds: number
  chunkMs: number
  /** The ends in local time, as typed. */
  from: string
  to: string
  /** Null until the range has been measured. */
  facts: RangeFacts | null
}

const minuteMs = 60_000
const maxParts = 100

/** Why the range can't be downloaded. `future`: all of it is after now; `tooLong`: it has too many parts. */
export type ClipProblem = 'unreadable' | 'backwards' | 'future' | 'tooLong'

type Ends = Pick<Context, 'from' | 'to' | 'zone' | 'maxSeconds' | 'now'>

/** The range between the ends, cut at `now`; null if an end can't be read. */
function rangeOf({ from, to, zone, now }: Ends): TimeRange | null {
  const [start, end] = [momentOfLocal(from, zone), momentOfLocal(to, zone)]
  return start === null || end === null
    ? null
    : { from: start, to: start < end ? Math.max(start, Math.min(end, now)) : end }
}

/** The moment at which a clip is cut because its end is in the future; null if it isn't. */
export function clipCutAt(ends: Ends): number | null {
  const end = momentOfLocal(ends.to, ends.zone)
  return end !== null && end > ends.now + 1000 && clipProblem(ends) === null ? ends.now : null
}

/** The length in seconds; null if an end can't be read. */
export function clipSeconds(ends: Ends): number | null {
  const range = rangeOf(ends)
  return range === null ? null : (range.to - range.from) / 1000
}

/** How many parts the clip is downloaded in; 0 if the range is empty or can't be read. */
export function clipParts(ends: Ends): number {
  const range = rangeOf(ends)
  return range === null || range.from >= range.to ? 0 : partCount(range, ends.maxSeconds)
}

export function clipProblem(ends: Ends): ClipProblem | null {
  const seconds = clipSeconds(ends)
  if (seconds === null) return 'unreadable'
  if (seconds === 0 && (momentOfLocal(ends.from, ends.zone) ?? 0) >= ends.now) return 'future'
  if (seconds <= 0) return 'backwards'
  return clipParts(ends) > maxParts ? 'tooLong' : null
}

/** The selection, extended to whole seconds; without one, two minutes around `at`. */
function initialRange({ at, now, maxSeconds, selection = null }: ClipInput): TimeRange {
  if (selection !== null)
    return { from: Math.floor(selection.from / 1000) * 1000, to: Math.ceil(selection.to / 1000) * 1000 }
  const half = Math.min(minuteMs, (maxSeconds * 1000) / 2)
  const to = Math.min(now, at + half)
  return { from: to - 2 * half, to }
}

/**
 * The dialog for a range of the archive to download: its ends are edited, and can be confirmed when they are valid.
 * After a pause in editing, the facts of the range are measured.
 */
export const clipMachine = setup({
  types: { context: {} as Context, events: {} as ClipEvent, input: {} as ClipInput },
  actors: { measure: fromPromise<Measured, TimeRange & { uid: string; chunkMs: number }>(notProvided) },
  actions: {
    edit: assign(({ context }, { from, to }: { from?: string; to?: string }) => ({
      from: from ?? context.from,
      to: to ?? context.to,
      facts: null,
    })),
    assignFacts: assign((_, { reply }: { reply: Measured }) => ({ facts: reply.ok ? reply.value : null })),
    notifyChosen: sendParent(({ context }): ClipReport => ({
      type: 'clip.chosen',
      ...(rangeOf(context) ?? { from: 0, to: 0 }),
    })),
  },
  guards: { isValid: ({ context }) => clipProblem(context) === null },
  delays: { editingPause: 300 },
}).createMachine({
  id: 'clip',
  context: ({ input }) => {
    const { from, to } = initialRange(input)
    const { uid, now, zone, maxSeconds, chunkMs } = input
    return { uid, now, zone, maxSeconds, chunkMs, from: localText(from, zone), to: localText(to, zone), facts: null }
  },
  initial: 'editing',
  states: {
    editing: {
      initial: 'deciding',
      on: {
        'clip.edited': { target: '.deciding', actions: { type: 'edit', params: ({ event }) => event } },
        'clip.confirmed': { guard: 'isValid', target: 'confirmed', actions: 'notifyChosen' },
      },
      states: {
        deciding: { always: [{ guard: 'isValid', target: 'settling' }, { target: 'invalid' }] },
        invalid: {},
        settling: { tags: 'busy', after: { editingPause: 'measuring' } },
        measuring: {
          tags: 'busy',
          invoke: {
            id: 'measure',
            src: 'measure',
            input: ({ context }) => {
              const { from, to } = rangeOf(context) ?? { from: 0, to: 0 }
              return { uid: context.uid, chunkMs: context.chunkMs, from, to }
            },
            onDone: {
              target: 'measured',
              actions: { type: 'assignFacts', params: ({ event }) => ({ reply: event.output }) },
            },
            onError: 'measured',
          },
        },
        measured: {},
      },
    },
    confirmed: { type: 'final' },
  },
})
