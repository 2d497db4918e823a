import { assign, enqueueActions, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { errorToast, raiseErrorToast, raiseToast, toastWithdrawal, withdrawToast } from '../notifications/toast.ts'
import { delayPoll } from '../polling/delay-poll.ts'
import { pollMachine } from '../polling/poll.machine.ts'
import { apiErrorOf, delayPollAfterRefusal, raiseFault, raiseRefusal, unknownApiError } from '../api-errors.ts'
import type { StatusChange, StreamEvent, StreamInput } from './stream.events.ts'

export interface StreamContext {
  uid: string
  stream: Stream | null
  /** The error of the last request; null after a success. */
  apiError: ApiError | null
  /** Whether the stream is being watched live. */
  isPlaying: boolean
}

export type StreamRequest = { uid: string; extendLease: boolean }

type Saved = { context: StreamContext; event: Extract<StreamEvent, { type: 'stream.saved' }> }

const savedStream = ({ context, event }: Saved) => ({ stream: mergedInto(context.stream, event.stream) })
const assignSaved = [
  { type: 'notifyChanged' as const, params: savedStream },
  { type: 'assignStream' as const, params: savedStream },
] as const

const toastKey = 'stream'

/**
 * The stream of an open page (docs/behaviour.md §6). The region `polling` requests it every second. A 401, 403 or 404
 * ends the polling; after any other failure the last stream stays and polling continues, no sooner than the server's
 * `retry-after`. The region `command` pauses or resumes the stream. A stream that a form has saved, and the status that
 * pausing or resuming returns, apply at once; a poll in progress is then dropped, as its answer may be older.
 */
export const streamMachine = setup({
  types: {
    context: {} as StreamContext,
    events: {} as StreamEvent,
    input: {} as StreamInput,
    children: {} as { poll: 'poll'; toastWithdrawal: 'toastWithdrawal' },
  },
  actors: {
    fetchStream: fromPromise<Reply<Stream>, StreamRequest>(notProvided),
    changeStatus: fromPromise<Reply<{ status: string }>, StatusChange>(notProvided),
    poll: pollMachine,
    toastWithdrawal,
  },
  actions: {
    assignStream: enqueueActions(({ context, enqueue, system }, { stream }: { stream: Stream }) => {
      if (context.apiError !== null) withdrawToast({ enqueue, system }, toastKey)
      enqueue.assign({
        stream: isSame(stream, context.stream) ? context.stream : stream,
        apiError: null,
      })
    }),
    /** Comes before `assignStream`. */
    notifyChanged: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (!isSame(stream, context.stream)) enqueue(sendParent({ type: 'stream.reported', stream }))
    }),
    /** Raises one toast for consecutive failures. */
    handleFailure: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      if (context.apiError === null) raiseToast({ enqueue, system }, { ...errorToast(apiError), key: toastKey })
      enqueue.assign({ apiError })
    }),
    raiseApiError: enqueueActions(raiseErrorToast),
    /** Applies a changed status as a saved stream does. */
    applyStatus: enqueueActions(({ context: { stream }, enqueue }, { status }: { status: string }) => {
      if (stream === null) return
      enqueue.raise({ type: 'stream.saved', stream: { ...stream, status: status || stream.status } })
    }),
    notifyForbidden: sendParent(({ context }) => ({ type: 'stream.forbidden', code: context.apiError?.code ?? '' })),
    notifyMissing: sendParent({ type: 'page.missing' }),
    notifyAnswered: sendTo('poll', { type: 'poll.answered' }),
    delayPoll: enqueueActions(delayPoll),
  },
  guards: {
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    isForbidden: (_, { reply }: { reply: Reply<unknown> }) => [401, 403].includes(apiErrorOf(reply).status),
    isMissing: (_, { reply }: { reply: Reply<unknown> }) => apiErrorOf(reply).status === 404,
  },
}).createMachine({
  id: 'stream',
  type: 'parallel',
  context: ({ input }) => ({ uid: input.uid, stream: null, apiError: null, isPlaying: false }),
  on: {
    'stream.playing': { actions: assign({ isPlaying: true }) },
    'stream.idle': { actions: assign({ isPlaying: false }) },
  },
  states: {
    polling: {
      initial: 'active',
      on: { 'stream.saved': { actions: assignSaved } },
      states: {
        active: {
          invoke: [
            { id: 'poll', src: 'poll', input: { intervalMs: 1000, maxIntervalMs: 8000 } },
            { id: 'toastWithdrawal', src: 'toastWithdrawal', input: { key: toastKey } },
          ],
          initial: 'fetching',
          on: {
            'poll.due': '.fetching',
            'poll.rested': '.waiting',
            'stream.saved': { target: '.waiting', actions: assignSaved },
          },
          states: {
            fetching: {
              invoke: {
                id: 'fetchStream',
                src: 'fetchStream',
                input: ({ context }) => ({ uid: context.uid, extendLease: extendsLease(context) }),
                onDone: [
                  {
                    guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                    target: 'waiting',
                    actions: enqueueActions(({ enqueue, event }) => {
                      if (!event.output.ok) return
                      enqueue({ type: 'notifyChanged', params: { stream: event.output.value } })
                      enqueue({ type: 'assignStream', params: { stream: event.output.value } })
                    }),
                  },
                  {
                    guard: { type: 'isForbidden', params: ({ event }) => ({ reply: event.output }) },
                    target: '#stream.polling.forbidden',
                    actions: [assign({ apiError: ({ event }) => apiErrorOf(event.output) }), 'notifyForbidden'],
                  },
                  {
                    guard: { type: 'isMissing', params: ({ event }) => ({ reply: event.output }) },
                    target: '#stream.polling.missing',
                    actions: 'notifyMissing',
                  },
                  {
                    target: 'waiting',
                    actions: [
                      { type: 'handleFailure', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                      delayPollAfterRefusal,
                    ],
                  },
                ],
                onError: {
                  target: 'waiting',
                  actions: { type: 'handleFailure', params: { apiError: unknownApiError } },
                },
              },
            },
            waiting: { entry: 'notifyAnswered' },
          },
        },
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
        none: { on: { 'stream.pauseRequested': 'changing', 'stream.resumeRequested': 'changing' } },
        changing: {
          tags: 'busy',
          invoke: {
            id: 'changeStatus',
            src: 'changeStatus',
            input: ({ context, event }) => ({
              uid: context.uid,
              change: event.type === 'stream.pauseRequested' ? 'pause' : 'resume',
            }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                target: 'none',
                actions: {
                  type: 'applyStatus',
                  params: ({ event }) => ({ status: event.output.ok ? event.output.value.status : '' }),
                },
              },
              {
                target: 'none',
                actions: raiseRefusal,
              },
            ],
            onError: { target: 'none', actions: raiseFault },
          },
        },
      },
    },
  },
})

/** A saved stream merged into the present one, as the answer to saving may lack viewers and rights. */
function mergedInto(stream: Stream | null, saved: Stream): Stream {
  return stream === null ? saved : { ...stream, ...saved, meta: { ...stream.meta, marker: saved.meta.marker } }
}

const isSame = (one: Stream, other: Stream | null): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether polling extends the lease of viewers: only while an on-demand stream plays live (docs/wire.md §5.2). */
const extendsLease = ({ isPlaying, stream }: StreamContext): boolean => isPlaying && stream?.live.onDemand === true
