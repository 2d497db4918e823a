import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'
import type { LogLine } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { pollMachine, type PollReport } from '../polling/poll.machine.ts'
import { apiErrorOf, handleFault, handleRefusal } from '../api-errors.ts'

export type TailEvent =
  | { type: 'tail.paused' }
  | { type: 'tail.resumed' }
  | { type: 'tail.cleared' }
  | { type: 'tail.levelChosen'; level: string }
  | { type: 'tail.filterEdited'; filter: string }
  | PollReport

interface Context {
  /** Whose log it is: a stream's uid; '' for the server's own. */
  subject: string
  lines: readonly LogLine[]
  /** The id of the last line that the server sent, shown or cleared. */
  after: string | null
  isRead: boolean
  level: string
  filter: string
  apiError: ApiError | null
}

export const maxLines = 2000

/**
 * Follows a log, polled every second for new lines. Errors keep the lines and polling continues; 403 ends it. Nothing
 * is polled while paused; the missed lines follow on resume.
 */
export const tailMachine = setup({
  types: {
    context: {} as Context,
    events: {} as TailEvent,
    input: {} as { subject: string },
    children: {} as { poll: 'poll' },
  },
  actors: {
    fetchLines: fromPromise<Reply<{ items: readonly LogLine[] }>, { subject: string; after: string | null }>(
      notProvided,
    ),
    poll: pollMachine,
  },
  actions: {
    take: assign(({ context }, { reply }: { reply: Reply<{ items: readonly LogLine[] }> }) =>
      reply.ok ? { ...appended(context, reply.value.items), isRead: true, apiError: null } : {},
    ),
    handleApiError: enqueueActions((machine, { apiError }: { apiError: ApiError }) =>
      handlePageApiError(machine, { apiError }, machine.context.apiError),
    ),
    notifyAnswered: sendTo('poll', { type: 'poll.answered' }),
  },
}).createMachine({
  id: 'tail',
  context: ({ input }) => ({
    subject: input.subject,
    lines: [],
    after: null,
    isRead: false,
    level: '',
    filter: '',
    apiError: null,
  }),
  initial: 'active',
  on: {
    'tail.cleared': { actions: assign({ lines: [] }) },
    'tail.levelChosen': { actions: assign({ level: ({ event }) => event.level }) },
    'tail.filterEdited': { actions: assign({ filter: ({ event }) => event.filter }) },
  },
  states: {
    active: {
      initial: 'asking',
      invoke: { id: 'poll', src: 'poll', input: { interval: 1000, longest: 8000 } },
      on: { 'tail.paused': 'paused', 'poll.due': '.asking', 'poll.rested': '.waiting' },
      states: {
        asking: {
          invoke: {
            id: 'fetchLines',
            src: 'fetchLines',
            input: ({ context }) => ({ subject: context.subject, after: context.after }),
            onDone: [
              {
                guard: ({ event }) => event.output.ok,
                target: 'waiting',
                actions: { type: 'take', params: ({ event }) => ({ reply: event.output }) },
              },
              {
                guard: ({ event }) => apiErrorOf(event.output).status === 403,
                target: '#tail.forbidden',
                actions: handleRefusal,
              },
              {
                target: 'waiting',
                actions: handleRefusal,
              },
            ],
            onError: { target: 'waiting', actions: handleFault },
          },
        },
        waiting: { entry: 'notifyAnswered' },
      },
    },
    paused: { on: { 'tail.resumed': 'active' } },
    forbidden: { tags: 'error' },
  },
})

function appended({ lines, after }: Context, items: readonly LogLine[]): Pick<Context, 'lines' | 'after'> {
  const known = new Set(lines.map(({ id }) => id))
  const fresh = items.filter(({ id }) => id !== after && !known.has(id))
  return fresh.length === 0
    ? { lines, after }
    : { lines: [...lines, ...fresh].slice(-maxLines), after: fresh.at(-1)?.id ?? after }
}

/** The lines of a level, or of all with '', whose words hold the filter, whatever the case. */
export function matching(lines: readonly LogLine[], level: string, filter: string): readonly LogLine[] {
  const words = filter.trim().toLowerCase()
  if (level === '' && words === '') return lines
  return lines.filter(
    (line) =>
      (level === '' || line.level === level) &&
      (words === '' || `${line.level} ${line.message}`.toLowerCase().includes(words)),
  )
}

export const textOf = (lines: readonly LogLine[]): string =>
  lines
    .map(({ time, level, message }) =>
      [time === undefined ? '' : new Date(time).toISOString(), level.toUpperCase(), message]
        .filter((part) => part !== '')
        .join('  '),
    )
    .join('\n')
