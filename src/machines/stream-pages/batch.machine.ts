import { assign, fromPromise, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { unknownApiError } from '../api-errors.ts'
import { type BatchRow, type KeptCredentials, readRows, textOf } from './batch-rows.ts'
import type { SelectedCamera } from './camera-sources.ts'
import { newStreamValues, type StreamValues } from './stream-values.ts'

export type BatchEvent =
  | { type: 'batch.edited'; text: string }
  /** Adds found cameras to the list. */
  | { type: 'batch.filled'; cameras: readonly SelectedCamera[] }
  | { type: 'batch.submitted' }
  | { type: 'batch.cancelled' }

export type BatchOutcome = { isAdded: true; uid: string } | { isAdded: false; apiError: ApiError }

interface Context {
  settings: Settings
  text: string
  rows: readonly BatchRow[]
  kept: KeptCredentials
  outcomes: Readonly<Record<number, BatchOutcome>>
  /** The rows still to be added, the current one first. */
  queue: readonly BatchRow[]
}

const fatal = new Set(['QuotaReached', 'LicenseExpired', 'AuthorizationRequired', 'Forbidden', 'NoResponse'])

/**
 * Adds several streams: a pasted or dropped list is checked line by line; valid lines are added one after another, each
 * with its own outcome. An error that all others would get too (a quota, a licence, an unreachable server) ends it;
 * submitting again skips the streams added already.
 */
export const batchMachine = setup({
  types: { context: {} as Context, events: {} as BatchEvent, input: {} as { settings: Settings } },
  actors: { create: fromPromise<Reply<{ uid: string }>, { values: StreamValues }>(notProvided) },
  actions: {
    assignOutcome: assign(({ context }, { reply }: { reply: Reply<{ uid: string }> }) => {
      const [row, ...rest] = context.queue
      if (row === undefined) return {}
      const outcome: BatchOutcome = reply.ok
        ? { isAdded: true, uid: reply.value.uid }
        : { isAdded: false, apiError: reply.apiError }
      return {
        outcomes: { ...context.outcomes, [row.line]: outcome },
        queue: !reply.ok && fatal.has(reply.apiError.code) ? [] : rest,
      }
    }),
    fillQueue: assign(({ context }) => ({ queue: waiting(context) })),
  },
  guards: {
    hasWaiting: ({ context }) => waiting(context).length > 0,
    isEmpty: ({ context }) => context.queue.length === 0,
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({ settings: input.settings, text: '', rows: [], kept: {}, outcomes: {}, queue: [] }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'batch.edited': {
          actions: assign(({ context, event }) => ({
            text: event.text,
            rows: readRows(event.text, context.settings, context.kept),
            outcomes: {},
          })),
        },
        'batch.filled': { actions: assign(({ context, event }) => filled(context, event.cameras)) },
        'batch.submitted': { guard: 'hasWaiting', target: 'choosing', actions: 'fillQueue' },
      },
    },
    choosing: { always: [{ guard: 'isEmpty', target: 'editing' }, { target: 'adding' }] },
    adding: {
      tags: 'busy',
      on: { 'batch.cancelled': { target: 'editing', actions: assign({ queue: [] }) } },
      invoke: {
        id: 'create',
        src: 'create',
        input: ({ context }) => {
          const [row] = context.queue
          if (row === undefined) throw new Error('nothing to add')
          return { values: row.values }
        },
        onDone: {
          target: 'choosing',
          actions: { type: 'assignOutcome', params: ({ event }) => ({ reply: event.output }) },
        },
        onError: {
          target: 'choosing',
          actions: { type: 'assignOutcome', params: { reply: { ok: false, apiError: unknownApiError } } },
        },
      },
    },
  },
})

function filled({ settings, rows, kept, outcomes }: Context, cameras: readonly SelectedCamera[]) {
  const all = { ...kept }
  for (const { streamSource, login, password } of cameras) all[streamSource] = { login, password }
  const sources = new Set(cameras.map(({ streamSource }) => streamSource))
  const unadded = rows
    .filter(({ line, values }) => outcomes[line]?.isAdded !== true && !sources.has(values.streamSource))
    .map(({ values }) => values)
  const found = cameras.map(({ location, ...camera }): StreamValues => ({
    ...newStreamValues(settings),
    ...camera,
    'location.name': location,
  }))
  const shown = [...unadded, ...found].map((values) =>
    Object.hasOwn(all, values.streamSource) ? { ...values, login: '', password: '' } : values,
  )
  const text = textOf(shown)
  return { text, rows: readRows(text, settings, all), kept: all, outcomes: {} }
}

function waiting({ rows, outcomes }: Context): readonly BatchRow[] {
  return rows.filter(({ line, errors }) => Object.keys(errors).length === 0 && outcomes[line]?.isAdded !== true)
}

export const waitingCount = (context: Context): number => waiting(context).length
export const addedCount = ({ outcomes }: Context): number =>
  Object.values(outcomes).filter(({ isAdded }) => isAdded).length
