import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { nameErrors } from '../form/required-name.ts'
import { notProvided } from '../not-provided.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { apiErrorOf, handleRefusal } from '../api-errors.ts'
import { resourceMachineOf } from '../resource/resource.machine.ts'
import type { Grid } from './mosaic-grid.ts'

export interface MosaicValues extends Grid {
  id: string
  name: string
}

export const mosaicFormMachine = formMachineOf<MosaicValues, { id: string }>({
  validate: nameErrors,
  draft: (changed) => changed,
  // What was edited while a new mosaic was being saved is saved into it.
  afterSave: ({ id }) => ({ id }),
})

export interface StreamSearch {
  words: string
}

export const streamChoiceMachine = resourceMachineOf<readonly Stream[], StreamSearch>({
  pollMs: null,
  queryOf: () => ({ words: '' }),
})

type Event =
  | FormReport<MosaicValues, { id: string }>
  | { type: 'grid.changed'; grid: Grid }
  | { type: 'grid.undone' }
  | { type: 'mosaic.retried' }

interface Context {
  input: PageInput
  id: string
  apiError: ApiError | null
  form: ActorRefFrom<typeof mosaicFormMachine> | null
  streamChoice: ActorRefFrom<typeof streamChoiceMachine> | null
  /** Earlier grids, for undo; the latest last. */
  past: readonly Grid[]
  /** The names of the streams that are or were on the grid, by uid; the search may not return them. */
  names: ReadonlyMap<string, string>
}

const maxUndoSteps = 100
const emptyGrid: Grid = { columns: 2, rows: 2, cells: [] }

/**
 * Creates or edits a mosaic: fetches it, then shows a form with its name and grid beside the streams to add. Each
 * change of the grid can be undone. After saving, the mosaic opens.
 */
export const mosaicEditMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as PageInput },
  actors: {
    fetchMosaic: fromPromise<Reply<Mosaic>, { id: string }>(notProvided),
    form: mosaicFormMachine,
    streamChoice: streamChoiceMachine,
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    open: assign(({ context, spawn }, { values, streams }: { values: MosaicValues; streams: readonly Stream[] }) => ({
      apiError: null,
      names: named(context.names, streams),
      form: spawn('form', { id: 'form', input: { values, facts: null } }),
      streamChoice: spawn('streamChoice', { id: 'streamChoice', input: context.input }),
    })),
    describe: sendParent((_args, { mosaic }: { mosaic: Mosaic }) => ({
      type: 'page.described',
      subject: { kind: 'mosaic', id: mosaic.id, name: mosaic.name, canAdmin: mosaic.meta.canAdmin },
    })),
    notifyMissing: sendParent({ type: 'page.missing' }),
    change: enqueueActions(({ context, enqueue }, { grid }: { grid: Grid }) => {
      const values = context.form?.getSnapshot().context.values
      if (context.form === null || values === undefined) return
      const streams = context.streamChoice?.getSnapshot().context.value ?? []
      enqueue.assign({
        past: [...context.past, gridOf(values)].slice(-maxUndoSteps),
        names: named(context.names, streams),
      })
      enqueue.sendTo(context.form, { type: 'form.edited', values: gridOf(grid) })
    }),
    undo: enqueueActions(({ context, enqueue }) => {
      const before = context.past.at(-1)
      if (context.form === null || before === undefined) return
      enqueue.assign({ past: context.past.slice(0, -1) })
      enqueue.sendTo(context.form, { type: 'form.edited', values: before })
    }),
    openMosaic: sendParent((_args, { id }: { id: string }) => ({
      type: 'navigation.requested',
      href: `/mosaic/${encodeURIComponent(id)}`,
    })),
  },
  guards: {
    isNew: ({ context }) => context.id === '',
    isMissing: (_args, { apiError }: { apiError: ApiError }) =>
      apiError.status === 404 || apiError.code === 'ValidationError',
  },
}).createMachine({
  id: 'mosaicEdit',
  context: ({ input }) => ({
    input,
    id: input.params['id'] ?? '',
    apiError: null,
    form: null,
    streamChoice: null,
    past: [],
    names: new Map(),
  }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [
        {
          guard: 'isNew',
          target: 'open',
          actions: { type: 'open', params: { values: { id: '', name: '', ...emptyGrid }, streams: [] } },
        },
        { target: 'loading' },
      ],
    },
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchMosaic',
        src: 'fetchMosaic',
        input: ({ context }) => ({ id: context.id }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'open',
            actions: enqueueActions(({ enqueue, event }) => {
              if (!event.output.ok) return
              const { id, name, streams = [], ...rest } = event.output.value
              enqueue({ type: 'describe', params: { mosaic: event.output.value } })
              enqueue({ type: 'open', params: { values: { id, name, ...gridOf(rest) }, streams } })
            }),
          },
          {
            guard: { type: 'isMissing', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
            target: 'missing',
            actions: 'notifyMissing',
          },
          {
            target: 'failed',
            actions: handleRefusal,
          },
        ],
        onError: pageBroken,
      },
    },
    failed: { tags: 'error', on: { 'mosaic.retried': 'loading' } },
    missing: {},
    open: {
      on: {
        'grid.changed': { actions: { type: 'change', params: ({ event }) => event } },
        'grid.undone': { actions: 'undo' },
        'form.saved': { actions: { type: 'openMosaic', params: ({ event }) => ({ id: event.answer.id }) } },
      },
    },
  },
})

const named = (names: ReadonlyMap<string, string>, streams: readonly Stream[]) =>
  new Map([...names, ...streams.map(({ uid, name }) => [uid, name] as const)])

const gridOf = ({ columns, rows, cells }: Grid): Grid => ({ columns, rows, cells })
