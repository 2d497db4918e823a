import { assign, enqueueActions, fromCallback, fromPromise, sendParent, setup, stateIn } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast, withdrawToast } from '../notifications/toast.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import type { StreamEvent, StreamInput } from './stream.events.ts'

export interface StreamContext {
  uid: string
  /** The last that the server said; null until it has said something. */
  stream: Stream | null
  /** Why the last question went unanswered; null once one is answered. */
  apiError: ApiError | null
  isPlaying: boolean
  pollInterval: number
}

export type StreamRequest = { uid: string; extendLease: boolean }

type Saved = { context: StreamContext; event: Extract<StreamEvent, { type: 'stream.saved' }> }

const saved = ({ context, event }: Saved) => ({ stream: savedOver(context.stream, event.stream) })
const takeSaved = [
  { type: 'tellNews' as const, params: saved },
  { type: 'take' as const, params: saved },
] as const

const notice = 'stream'
const shortest = 1000
const longest = 8000

/**
 * What a stream is, for as long as a page about it is open (docs/behaviour.md §6): asked for every second, each question cancelling
 * the one before; where answers take longer the interval stretches until one arrives. A hidden page rests and asks at once
 * when it is shown again. A forbidden reply, and one that no longer knows who asks, ends the polling and is the page's
 * own error; any other failure keeps what was known and goes on asking, no sooner than the server says (`retry-after`).
 * Beside it, one pauses or resumes the stream, and the status that comes back is applied; so is a stream that comes
 * back from being saved, and a question that was asked before is dropped.
 */
export const streamMachine = setup({
  types: { context: {} as StreamContext, events: {} as StreamEvent, input: {} as StreamInput },
  actors: {
    fetchStream: fromPromise<Reply<Stream>, StreamRequest>(notProvided),
    pause: fromPromise<Reply<{ status: string }>, { uid: string }>(notProvided),
    resume: fromPromise<Reply<{ status: string }>, { uid: string }>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    take: enqueueActions(({ context, enqueue, system }, { stream }: { stream: Stream }) => {
      if (context.apiError !== null) withdrawToast({ enqueue, system }, notice)
      enqueue.assign({
        stream: isSame(stream, context.stream) ? context.stream : stream,
        apiError: null,
        pollInterval: shortest,
      })
    }),
    tellNews: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (!isSame(stream, context.stream)) enqueue(sendParent({ type: 'stream.reported', stream }))
    }),
    /** One toast for a run of failures; while it lasts the page shows what it knew. */
    note: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      if (context.apiError === null)
        raiseToast({ enqueue, system }, { tone: 'error', code: apiError.code, key: notice })
      enqueue.assign({ apiError })
    }),
    raiseApiError: enqueueActions(({ enqueue, system }, { apiError }: { apiError: ApiError }) => {
      raiseToast({ enqueue, system }, { tone: 'error', code: apiError.code })
    }),
    applyStatus: assign(({ context }, { status }: { status: string }) => ({
      stream: context.stream === null ? null : { ...context.stream, status: status || context.stream.status },
    })),
    tellStream: enqueueActions(({ context, enqueue }) => {
      if (context.stream !== null) enqueue(sendParent({ type: 'stream.reported', stream: context.stream }))
    }),
    tellForbidden: sendParent({ type: 'stream.forbidden' }),
    tellMissing: sendParent({ type: 'page.missing' }),
    stretch: assign({ pollInterval: ({ context }) => Math.min(longest, context.pollInterval * 2) }),
  },
  guards: {
    isUnanswered: stateIn({ polling: { active: 'asking' } }),
    isUnseen: stateIn({ polling: { coolingDown: 'unseen' } }),
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    isForbidden: (_, { reply }: { reply: Reply<unknown> }) => [401, 403].includes(apiErrorOf(reply).status),
    isMissing: (_, { reply }: { reply: Reply<unknown> }) => apiErrorOf(reply).status === 404,
    hasToWait: (_args, { apiError }: { apiError: ApiError }) =>
      apiError.retryAfterSeconds !== null && apiError.retryAfterSeconds > 0,
  },
  delays: {
    pollInterval: ({ context }) => context.pollInterval,
    retryPause: ({ context }) => (context.apiError?.retryAfterSeconds ?? 0) * 1000,
  },
}).createMachine({
  id: 'stream',
  type: 'parallel',
  context: ({ input }) => ({ uid: input.uid, stream: null, apiError: null, isPlaying: false, pollInterval: shortest }),
  invoke: { id: 'visibility', src: 'visibility' },
  on: {
    'stream.playing': { actions: assign({ isPlaying: true }) },
    'stream.idle': { actions: assign({ isPlaying: false }) },
  },
  states: {
    polling: {
      initial: 'active',
      on: { 'stream.saved': { actions: takeSaved } },
      states: {
        active: {
          initial: 'asking',
          on: {
            'page.hidden': 'resting',
            'stream.saved': { target: '.answered', actions: takeSaved },
          },
          after: {
            pollInterval: [
              { guard: 'isUnanswered', target: 'active', reenter: true, actions: 'stretch' },
              { target: 'active', reenter: true },
            ],
          },
          states: {
            asking: {
              invoke: {
                id: 'fetchStream',
                src: 'fetchStream',
                input: ({ context }) => ({ uid: context.uid, extendLease: hasLease(context) }),
                onDone: [
                  {
                    guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                    target: 'answered',
                    actions: enqueueActions(({ enqueue, event }) => {
                      if (!event.output.ok) return
                      enqueue({ type: 'tellNews', params: { stream: event.output.value } })
                      enqueue({ type: 'take', params: { stream: event.output.value } })
                    }),
                  },
                  {
                    guard: { type: 'isForbidden', params: ({ event }) => ({ reply: event.output }) },
                    target: '#stream.polling.forbidden',
                    actions: [assign({ apiError: ({ event }) => apiErrorOf(event.output) }), 'tellForbidden'],
                  },
                  {
                    guard: { type: 'isMissing', params: ({ event }) => ({ reply: event.output }) },
                    target: '#stream.polling.missing',
                    actions: 'tellMissing',
                  },
                  {
                    guard: { type: 'hasToWait', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                    target: '#stream.polling.coolingDown',
                    actions: { type: 'note', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                  },
                  {
                    target: 'answered',
                    actions: { type: 'note', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                  },
                ],
                onError: { target: 'answered', actions: { type: 'note', params: { apiError: unknownApiError } } },
              },
            },
            answered: {},
          },
        },
        /** As long as the server says, also where the page is hidden and shown meanwhile. */
        coolingDown: {
          after: { retryPause: [{ guard: 'isUnseen', target: 'resting' }, { target: 'active' }] },
          initial: 'seen',
          states: { seen: { on: { 'page.hidden': 'unseen' } }, unseen: { on: { 'page.shown': 'seen' } } },
        },
        resting: { on: { 'page.shown': 'active' } },
        forbidden: {
          tags: 'error',
          on: { 'stream.retried': { target: 'active', actions: assign({ apiError: null }) } },
        },
        missing: {},
      },
    },
    command: {
      initial: 'none',
      states: {
        none: { on: { 'stream.pauseRequested': 'pausing', 'stream.resumeRequested': 'resuming' } },
        pausing: {
          tags: 'busy',
          invoke: {
            id: 'pause',
            src: 'pause',
            input: ({ context }) => ({ uid: context.uid }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                target: 'none',
                actions: enqueueActions(({ enqueue, event }) => {
                  if (event.output.ok) enqueue({ type: 'applyStatus', params: { status: event.output.value.status } })
                  enqueue('tellStream')
                }),
              },
              {
                target: 'none',
                actions: { type: 'raiseApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
            ],
            onError: { target: 'none', actions: { type: 'raiseApiError', params: { apiError: unknownApiError } } },
          },
        },
        resuming: {
          tags: 'busy',
          invoke: {
            id: 'resume',
            src: 'resume',
            input: ({ context }) => ({ uid: context.uid }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                target: 'none',
                actions: enqueueActions(({ enqueue, event }) => {
                  if (event.output.ok) enqueue({ type: 'applyStatus', params: { status: event.output.value.status } })
                  enqueue('tellStream')
                }),
              },
              {
                target: 'none',
                actions: { type: 'raiseApiError', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
            ],
            onError: { target: 'none', actions: { type: 'raiseApiError', params: { apiError: unknownApiError } } },
          },
        },
      },
    },
  },
})

/** What was saved, over what is known: the answer needn't say who watches, and rights are no part of it. */
function savedOver(known: Stream | null, answer: Stream): Stream {
  return known === null ? answer : { ...known, ...answer, meta: { ...known.meta, marker: answer.meta.marker } }
}

const isSame = (one: Stream, other: Stream | null): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The lease is extended while a live on-demand stream is playing, and never otherwise (docs/wire.md §5.2). */
const hasLease = ({ isPlaying, stream }: StreamContext): boolean => isPlaying && stream?.live.onDemand === true
