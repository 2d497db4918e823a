import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, sendParent, setup } from 'xstate'
import { partCount } from '../clips/parts.ts'
import { localText, momentOfLocal } from './local-text.ts'

/** Moments are epoch milliseconds; the clip begins as the selection, else as a range around `at`. */
export type ClipInput = {
  readonly uid: string
  readonly at: number
  readonly now: number
  readonly zone: string
  readonly maxSeconds: number
  readonly selection?: TimeRange | null
}

export type ClipEvent =
  /** The ends as wall-clock text, `2026-11-21 14:05:03`. */
  { readonly type: 'clip.edited'; readonly from?: string; readonly to?: string } | { readonly type: 'clip.confirmed' }

/** Told to the parent: this range is to be kept. Epoch milliseconds. */
export type ClipReport = { readonly type: 'clip.chosen' } & TimeRange

interface Context {
  uid: string
  zone: string
  maxSeconds: number
  from: string
  to: string
}

const minute = 60_000
const mostParts = 100

export type ClipProblem = 'unreadable' | 'backwards' | 'tooLong'

type Ends = Pick<Context, 'from' | 'to' | 'zone' | 'maxSeconds'>

function rangeOf({ from, to, zone }: Ends): TimeRange | null {
  const [start, end] = [momentOfLocal(from, zone), momentOfLocal(to, zone)]
  return start === null || end === null ? null : { from: start, to: end }
}

/** How long the clip is, in seconds; null while an end can't be read. */
export function clipSeconds(ends: Ends): number | null {
  const range = rangeOf(ends)
  return range === null ? null : (range.to - range.from) / 1000
}

export function clipParts(ends: Ends): number {
  const range = rangeOf(ends)
  return range === null || range.from >= range.to ? 0 : partCount(range, ends.maxSeconds)
}

export function clipProblem(ends: Ends): ClipProblem | null {
  const seconds = clipSeconds(ends)
  if (seconds === null) return 'unreadable'
  if (seconds <= 0) return 'backwards'
  return clipParts(ends) > mostParts ? 'tooLong' : null
}

/**
 * A selection widened to whole seconds, so that none of what was marked is lost; else two minutes around the moment.
 */
function firstEnds({ at, now, maxSeconds, selection = null }: ClipInput): TimeRange {
  if (selection !== null)
    return { from: Math.floor(selection.from / 1000) * 1000, to: Math.ceil(selection.to / 1000) * 1000 }
  const half = Math.min(minute, (maxSeconds * 1000) / 2)
  const to = Math.min(now, at + half)
  return { from: to - 2 * half, to }
}

/** A piece of the archive to keep: its ends are edited until they make sense and are confirmed. */
export const clipMachine = setup({
  types: { context: {} as Context, events: {} as ClipEvent, input: {} as ClipInput },
  actions: {
    tellChosen: sendParent(({ context }): ClipReport => ({
      type: 'clip.chosen',
      ...(rangeOf(context) ?? { from: 0, to: 0 }),
    })),
  },
  guards: { isSound: ({ context }) => clipProblem(context) === null },
}).createMachine({
  id: 'clip',
  context: ({ input }) => {
    const { from, to } = firstEnds(input)
    const { uid, zone, maxSeconds } = input
    return { uid, zone, maxSeconds, from: localText(from, zone), to: localText(to, zone) }
  },
  initial: 'editing',
  states: {
    editing: {
      on: {
        'clip.edited': {
          actions: assign({
            from: ({ context, event }) => event.from ?? context.from,
            to: ({ context, event }) => event.to ?? context.to,
          }),
        },
        'clip.confirmed': { guard: 'isSound', target: 'confirmed', actions: 'tellChosen' },
      },
    },
    confirmed: { type: 'final' },
  },
})
