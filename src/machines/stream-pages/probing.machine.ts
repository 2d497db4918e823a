import { assign, enqueueActions, fromPromise, setup } from 'xstate'
import type { Probe } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { handleFault, handleRefusal } from '../api-errors.ts'
import { notifyPageApiError } from '../notifications/page-error.ts'
import { fieldOfCode } from './stream-values.ts'

/** What to probe: a URL, the source of a stream, or a URL with `***` in place of the credentials of that stream. */
export interface ProbeSubject {
  url?: string
  streamId?: string
}

export type ProbingEvent =
  | { type: 'probe.requested'; subject: ProbeSubject }
  | { type: 'probe.cancelled' }
  /** The source was edited, so the result doesn't apply any more. */
  | { type: 'probe.outdated' }

interface Context {
  subject: ProbeSubject
  /** How long the probe has been running, or ran. */
  seconds: number
  tracks: Probe | null
  picture: Blob | null
  apiError: ApiError | null
}

const noResult = { seconds: 0, tracks: null, picture: null, apiError: null }

/**
 * Probes a source before it is saved: its tracks first, then a picture, as a camera may allow one connection at a time.
 * A probe may take a minute (docs/behaviour.md §15), so the seconds are counted and it can be cancelled. A source
 * without a picture still counts as working. Every error is shown beside the source; one that isn't about a field of
 * the form also raises a toast.
 */
export const probingMachine = setup({
  types: { context: {} as Context, events: {} as ProbingEvent },
  actors: {
    probe: fromPromise<Reply<Probe>, ProbeSubject>(notProvided),
    fetchPicture: fromPromise<Reply<Blob>, ProbeSubject>(notProvided),
  },
  actions: {
    begin: assign((_, { subject }: { subject: ProbeSubject }) => ({ ...noResult, subject })),
    clear: assign(noResult),
    handleApiError: enqueueActions(({ enqueue, system }, { apiError }: { apiError: ApiError }) => {
      enqueue.assign({ apiError })
      if (!Object.hasOwn(fieldOfCode, apiError.code)) notifyPageApiError({ enqueue, system }, apiError)
    }),
  },
  delays: { second: 1000 },
}).createMachine({
  id: 'probing',
  context: { subject: {}, ...noResult },
  initial: 'idle',
  on: {
    'probe.requested': { target: '.probing', reenter: true, actions: { type: 'begin', params: ({ event }) => event } },
  },
  states: {
    idle: {},
    probing: {
      tags: 'busy',
      on: { 'probe.cancelled': 'idle', 'probe.outdated': 'idle' },
      invoke: {
        id: 'probe',
        src: 'probe',
        input: ({ context }) => context.subject,
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'probed',
            actions: assign(({ event }) => (event.output.ok ? { tracks: event.output.value } : {})),
          },
          { target: 'refused', actions: handleRefusal },
        ],
        onError: { target: 'refused', actions: handleFault },
      },
      initial: 'counting',
      states: {
        counting: {
          after: {
            second: {
              target: 'counting',
              reenter: true,
              actions: assign({ seconds: ({ context }) => context.seconds + 1 }),
            },
          },
        },
      },
    },
    probed: {
      on: { 'probe.outdated': { target: 'idle', actions: 'clear' } },
      initial: 'picturing',
      states: {
        picturing: {
          invoke: {
            id: 'fetchPicture',
            src: 'fetchPicture',
            input: ({ context }) => context.subject,
            onDone: {
              target: 'complete',
              actions: assign(({ event }) => ({ picture: event.output.ok ? event.output.value : null })),
            },
            onError: 'complete',
          },
        },
        complete: {},
      },
    },
    refused: { tags: 'error', on: { 'probe.outdated': { target: 'idle', actions: 'clear' } } },
  },
})
