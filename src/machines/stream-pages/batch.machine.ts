import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { type LeaveEvent, leavingRegion } from '../form/leaving-region.ts'
import { notProvided } from '../not-provided.ts'
import { afterQueueRequest } from './queue-request.ts'
import { type BatchRow, type KeptCredentials, maxRows, readRows, textOf } from './batch-rows.ts'
import type { SelectedCamera } from './camera-sources.ts'
import { type Credentials, splitCredentials } from './source-credentials.ts'
import { newStreamValues, type StreamValues } from './stream-values.ts'

export type BatchEvent =
  | { type: 'batch.edited'; text: string }
  /** Adds found cameras to the list. */
  | { type: 'batch.filled'; cameras: readonly SelectedCamera[] }
  | { type: 'credentials.edited'; credentials: Partial<Credentials> }
  | { type: 'batch.submitted' }
  | { type: 'batch.cancelled' }
  | LeaveEvent

export type BatchOutcome = { isAdded: true; uid: string } | { isAdded: false; apiError: ApiError }

interface Context {
  settings: Settings
  text: string
  rows: readonly BatchRow[]
  /** The text has more lines than are added at a time. */
  hasMore: boolean
  /** Credentials of found cameras, which the text doesn't show. */
  kept: KeptCredentials
  /** Of the cameras whose lines have none. */
  credentials: Credentials
  /** By line number in the text, from 1. */
  outcomes: Readonly<Record<number, BatchOutcome>>
  /** The rows still to be added, the current one first. */
  queue: readonly BatchRow[]
}

const heldAnew = { target: '#batch.leaving.held', reenter: true } as const

/** Errors that all other streams would get too. */
const fatal = new Set(['QuotaReached', 'LicenseExpired', 'AuthorizationRequired', 'Forbidden', 'NoResponse'])

/**
 * Adds several streams: a pasted or dropped list is checked line by line; the streams of valid lines are added one
 * after another, each with its own outcome, and with one login and password unless its line has others. A fatal error
 * (a quota, a licence, an unreachable server) ends the run. Submitting again skips the streams that were added, also
 * after an edit of other lines. Cancelling ends the run after the current stream, which the server may have added
 * already; cancelling again doesn't wait for it. In parallel the machine asks before leaving the page would lose lines
 * that haven't been added.
 */
export const batchMachine = setup({
  types: { context: {} as Context, events: {} as BatchEvent, input: {} as { settings: Settings } },
  actors: {
    create: fromPromise<Reply<{ uid: string }>, { values: StreamValues }>(notProvided),
    /** Blocks leaving the page until `leave.granted`. */
    watchLeaving: fromCallback<{ type: 'leave.granted' }>(() => undefined),
  },
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
    fillQueue: assign(({ context }) => ({ queue: waitingRows(context) })),
    grantLeave: sendTo('watchLeaving', { type: 'leave.granted' }),
    dropQueue: assign(({ context }) => ({ queue: context.queue.slice(0, 1) })),
  },
  guards: {
    hasWaiting: ({ context }) => waitingRows(context).length > 0,
    isQueueEmpty: ({ context }) => context.queue.length === 0,
    isUnsaved: ({ context }) => hasUnsaved(context),
    isSaved: ({ context }) => !hasUnsaved(context),
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({
    settings: input.settings,
    text: '',
    rows: [],
    hasMore: false,
    kept: {},
    credentials: { login: '', password: '' },
    outcomes: {},
    queue: [],
  }),
  type: 'parallel',
  states: {
    work: {
      initial: 'editing',
      states: {
        editing: {
          on: {
            'batch.edited': {
              actions: assign(({ context, event }) => edited(context, event.text)),
            },
            'batch.filled': { actions: assign(({ context, event }) => filled(context, event.cameras)) },
            'credentials.edited': {
              actions: assign({
                credentials: ({ context, event }) => ({ ...context.credentials, ...event.credentials }),
              }),
            },
            'batch.submitted': { guard: 'hasWaiting', target: 'deciding', actions: 'fillQueue' },
          },
        },
        deciding: { always: [{ guard: 'isQueueEmpty', target: 'editing' }, { target: 'adding' }] },
        adding: {
          tags: 'busy',
          initial: 'running',
          states: {
            running: { on: { 'batch.cancelled': { target: 'ending', actions: 'dropQueue' } } },
            ending: { on: { 'batch.cancelled': '#batch.work.editing' } },
          },
          invoke: {
            id: 'create',
            src: 'create',
            input: ({ context }) => {
              const [row] = context.queue
              if (row === undefined) throw new Error('nothing to add')
              return { values: withLogin(row.values, context.credentials) }
            },
            ...afterQueueRequest<{ uid: string }>(),
          },
        },
      },
    },
    leaving: leavingRegion('isUnsaved', 'isSaved', {
      'leave.cancelled': heldAnew,
      'batch.edited': heldAnew,
      'batch.filled': heldAnew,
    }),
  },
})

/**
 * The values of a line, with a login and password unless it has its own. Those of its source are the substream's, too.
 */
const withLogin = (values: StreamValues, credentials: Credentials): StreamValues =>
  values.login !== '' || values.password !== ''
    ? values
    : { ...values, ...(splitCredentials(values.streamSource)?.credentials ?? credentials) }

/** Rows that were added and haven't changed keep their outcome, on whatever line they are now. */
function edited({ settings, kept, rows: before, outcomes: known }: Context, text: string) {
  const { rows, hasMore } = readSome(text, settings, kept)
  const added = new Map<string, BatchOutcome>()
  for (const { line, values } of before) {
    const outcome = known[line]
    if (outcome?.isAdded === true) added.set(JSON.stringify(values), outcome)
  }
  const outcomes: Record<number, BatchOutcome> = {}
  for (const { line, values } of rows) {
    const outcome = added.get(JSON.stringify(values))
    if (outcome !== undefined) outcomes[line] = outcome
  }
  return { text, rows, hasMore, outcomes }
}

/** The list with found cameras: streams that were added already, or are found again, are left out of the old text. */
function filled({ settings, text: before, kept, outcomes }: Context, cameras: readonly SelectedCamera[]) {
  const allKept = { ...kept }
  for (const { streamSource, login, password } of cameras) allKept[streamSource] = { login, password }
  const sources = new Set(cameras.map(({ streamSource }) => streamSource))
  // The text may have more lines than are added at a time.
  const remaining = readRows(before, settings, kept, Infinity)
    .filter(({ line, values }) => outcomes[line]?.isAdded !== true && !sources.has(values.streamSource))
    .map(({ values }) => values)
  const found = cameras.map(({ location, ...camera }): StreamValues => ({
    ...newStreamValues(settings),
    ...camera,
    'location.name': location,
  }))
  const shown = [...remaining, ...found].map((values) => {
    const known = Object.hasOwn(allKept, values.streamSource) ? allKept[values.streamSource] : undefined
    const isKept = known?.login === values.login && known.password === values.password
    return isKept ? { ...values, login: '', password: '' } : values
  })
  const text = textOf(shown)
  return { text, ...readSome(text, settings, allKept), kept: allKept, outcomes: {} }
}

/** Valid rows that haven't been added. */
function waitingRows({ rows, outcomes }: Context): readonly BatchRow[] {
  return rows.filter(({ line, errors }) => Object.keys(errors).length === 0 && outcomes[line]?.isAdded !== true)
}

/** A line hasn't been added, though it may be wrong. */
const hasUnsaved = ({ rows, hasMore, outcomes }: Context): boolean =>
  hasMore || rows.some(({ line }) => outcomes[line]?.isAdded !== true)

const readSome = (...[text, settings, kept]: Parameters<typeof readRows>) => {
  const rows = readRows(text, settings, kept, maxRows + 1)
  return { rows: rows.slice(0, maxRows), hasMore: rows.length > maxRows }
}

export const waitingRowCount = (context: Context): number => waitingRows(context).length
export const addedCount = ({ outcomes }: Context): number =>
  Object.values(outcomes).filter(({ isAdded }) => isAdded).length
