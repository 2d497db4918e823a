import { assign, fromCallback, setup } from 'xstate'
import type { Refusal } from '../../api/reply.ts'
import { localText, momentOfLocal } from './local-text.ts'

/** `at`, `now` are epoch milliseconds, `zone` an IANA name; `maxSeconds` is the longest that may be downloaded (spec.md §9). */
export type ClipInput = { readonly uid: string; readonly at: number; readonly now: number; readonly zone: string; readonly maxSeconds: number }

export type ClipRequest = { readonly uid: string; readonly from: number; readonly to: number; readonly zone: string }

export type ClipEvent =
  /** The ends as wall-clock text, `2026-11-21 14:05:03`. */
  | { readonly type: 'clip.edited'; readonly from?: string; readonly to?: string }
  | { readonly type: 'clip.confirmed' }
  | { readonly type: 'clip.cancelled' }
  | { readonly type: 'download.advanced'; readonly bytes: number }
  | { readonly type: 'download.saved' }
  | { readonly type: 'download.refused'; readonly refusal: Refusal }

interface Context {
  uid: string
  zone: string
  maxSeconds: number
  from: string
  to: string
  bytes: number
  refusal: Refusal | null
}

const minute = 60_000

export type ClipProblem = 'unreadable' | 'backwards' | 'tooLong'

type Ends = Pick<Context, 'from' | 'to' | 'zone' | 'maxSeconds'>

/** How long the clip is, in seconds; null while an end can't be read. */
export function clipSeconds({ from, to, zone }: Ends): number | null {
  const [start, end] = [momentOfLocal(from, zone), momentOfLocal(to, zone)]
  return start === null || end === null ? null : (end - start) / 1000
}

/** What is wrong with the ends, said before anything is asked of the server; null when nothing is. */
export function clipProblem(ends: Ends): ClipProblem | null {
  const seconds = clipSeconds(ends)
  if (seconds === null) return 'unreadable'
  if (seconds <= 0) return 'backwards'
  return seconds > ends.maxSeconds ? 'tooLong' : null
}

/**
 * A piece of the archive on its way to a file: its ends are edited, then it is downloaded, byte by byte, until it is saved,
 * refused or cancelled; its ends are kept for another try.
 */
export const clipMachine = setup({
  types: { context: {} as Context, events: {} as ClipEvent, input: {} as ClipInput },
  actors: { download: fromCallback<ClipEvent, ClipRequest>(() => undefined) },
  guards: { isSound: ({ context }) => clipProblem(context) === null },
}).createMachine({
  id: 'clip',
  context: ({ input: { uid, at, now, zone, maxSeconds } }) => {
    const half = Math.min(minute, (maxSeconds * 1000) / 2)
    const to = Math.min(now, at + half)
    return { uid, zone, maxSeconds, from: localText(to - 2 * half, zone), to: localText(to, zone), bytes: 0, refusal: null }
  },
  initial: 'editing',
  states: {
    editing: {
      on: {
        'clip.edited': {
          actions: assign({
            from: ({ context, event }) => event.from ?? context.from,
            to: ({ context, event }) => event.to ?? context.to,
            refusal: null,
          }),
        },
        'clip.confirmed': { guard: 'isSound', target: 'downloading' },
      },
    },
    downloading: {
      tags: 'busy',
      entry: assign({ bytes: 0, refusal: null }),
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context: { uid, from, to, zone } }) => ({
          uid, zone, from: momentOfLocal(from, zone) ?? 0, to: momentOfLocal(to, zone) ?? 0,
        }),
      },
      on: {
        'download.advanced': { actions: assign({ bytes: ({ event }) => event.bytes }) },
        'download.saved': 'saved',
        'download.refused': { target: 'editing', actions: assign({ refusal: ({ event }) => event.refusal }) },
        'clip.cancelled': 'editing',
      },
    },
    saved: {
      on: {
        'clip.edited': {
          target: 'editing',
          actions: assign({ from: ({ context, event }) => event.from ?? context.from, to: ({ context, event }) => event.to ?? context.to }),
        },
        'clip.confirmed': { guard: 'isSound', target: 'downloading' },
      },
    },
  },
})
