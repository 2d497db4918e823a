import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'
import type { LogLine } from '../../api/contract/stream.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { delayPoll } from '../polling/delay-poll.ts'
import { pollMachine, type PollReport } from '../polling/poll.machine.ts'
import { apiErrorOf, delayPollAfterRefusal, handleFault, handleRefusal } from '../api-errors.ts'

export type TailEvent =
  | { type: 'tail.paused' }
  | { type: 'tail.resumed' }
  | { type: 'tail.cleared' }
  | { type: 'tail.levelChosen'; level: string }
  | { type: 'tail.filterEdited'; filter: string }
  | PollReport

interface Context {
  /** The uid of the stream whose log is shown; '' for the server's own log. */
  subject: string
  lines: readonly LogLine[]
  /** The id of the last line received, which may have been cleared since. */
  after: string | null
  hasLoaded: boolean
  level: string
  filter: string
  apiError: ApiError | null
}

export const maxLines = 2000

/**
 * Follows a log, which is polled for new lines every second. After an error the lines stay and polling continues, no
 * sooner than the server's `retry-after`; a 403 ends polling. While paused nothing is polled; the lines missed then
 * follow on resume.
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
    appendLines: assign(({ context }, { reply }: { reply: Reply<{ items: readonly LogLine[] }> }) =>
      reply.ok ? { ...appended(context, reply.value.items), hasLoaded: true, apiError: null } : {},
    ),
    handleApiError: enqueueActions((machine, { apiError }: { apiError: ApiError }) =>
      handlePageApiError(machine, { apiError }, machine.context.apiError),
    ),
    notifyAnswered: sendTo('poll', { type: 'poll.answered' }),
    delayPoll: enqueueActions(delayPoll),
  },
}).createMachine({
  id: 'tail',
  context: ({ input }) => ({
    subject: input.subject,
    lines: [],
    after: null,
    hasLoaded: false,
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
      initial: 'fetching',
      invoke: { id: 'poll', src: 'poll', input: { intervalMs: 1000, maxIntervalMs: 8000 } },
      on: { 'tail.paused': 'paused', 'poll.due': '.fetching', 'poll.rested': '.waiting' },
      states: {
        fetching: {
          invoke: {
            id: 'fetchLines',
            src: 'fetchLines',
            input: ({ context }) => ({ subject: context.subject, after: context.after }),
            onDone: [
              {
                guard: ({ event }) => event.output.ok,
                target: 'waiting',
                actions: { type: 'appendLines', params: ({ event }) => ({ reply: event.output }) },
              },
              {
                guard: ({ event }) => apiErrorOf(event.output).status === 403,
                target: '#tail.forbidden',
                actions: handleRefusal,
              },
              {
                target: 'waiting',
                actions: [handleRefusal, delayPollAfterRefusal],
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

/** The lines of a level ('' for all) that contain the filter, in any case. */
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
