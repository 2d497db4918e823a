import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { SearchAnswer } from '../../api/contract/system.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { handleFault, handleRefusal } from '../api-errors.ts'
import { type Answered, type Choice, type PaletteScope, choicesFor } from './choices.ts'

export type PaletteEvent =
  | { type: 'palette.toggled'; scope: PaletteScope }
  | { type: 'palette.dismissed' }
  | { type: 'query.edited'; query: string }
  | { type: 'choice.moved'; to: 'next' | 'previous' }
  | { type: 'choice.pointed'; id: string }
  /** Opens the choice with the id; without an id the marked one. */
  | { type: 'choice.taken'; id?: string }
  | { type: 'search.retried' }
  | { type: 'user.switched' }

export interface PaletteContext {
  scope: PaletteScope | null
  query: string
  answered: Answered | null
  apiError: ApiError | null
  /** The id of the marked choice; if it isn't offered, the first one is marked. */
  marked: string
  /** The choices taken last, newest first. */
  recent: readonly Choice[]
}

const maxRecent = 6

/** The choices for the query; without a query the ones taken last. */
export function offeredBy({ query, scope, answered, recent }: PaletteContext): readonly Choice[] {
  if (scope === null) return []
  return query.trim() === '' ? recent : choicesFor(query, scope, answered)
}

const markedOf = (offered: readonly Choice[], marked: string): number =>
  Math.max(
    0,
    offered.findIndex(({ id }) => id === marked),
  )

export function markedBy(context: PaletteContext): Choice | undefined {
  const offered = offeredBy(context)
  return offered[markedOf(offered, context.marked)]
}

const takenBy = (context: PaletteContext, event: PaletteEvent): Choice | undefined => {
  if (event.type !== 'choice.taken') return undefined
  return event.id === undefined ? markedBy(context) : offeredBy(context).find(({ id }) => id === event.id)
}

const followChoice = [
  {
    type: 'navigate' as const,
    params: ({ context, event }: { context: PaletteContext; event: PaletteEvent }) => ({
      href: takenBy(context, event)?.href ?? '',
    }),
  },
  'remember',
  'clear',
] as const

/**
 * The command palette. The query is matched at once as a time and as a page's name. After a pause in typing the server
 * is searched, each request cancelling the one before; until the server answers, the results of the last answer that
 * match stay. An error is shown in the palette and in a toast, and the search can be retried.
 */
export const paletteMachine = setup({
  types: { context: {} as PaletteContext, events: {} as PaletteEvent },
  actors: { search: fromPromise<Reply<SearchAnswer>, { query: string }>(notProvided) },
  actions: {
    navigate: sendParent((_args, { href }: { href: string }) => ({ type: 'navigation.requested', href })),
    remember: assign(({ context, event }) => {
      const choice = takenBy(context, event)
      return choice === undefined
        ? {}
        : { recent: [choice, ...context.recent.filter(({ id }) => id !== choice.id)].slice(0, maxRecent) }
    }),
    mark: assign(({ context, event }) => {
      if (event.type === 'choice.pointed') return { marked: event.id }
      if (event.type !== 'choice.moved') return {}
      const offered = offeredBy(context)
      const step = event.to === 'next' ? 1 : -1
      return {
        marked:
          offered[(markedOf(offered, context.marked) + step + offered.length) % Math.max(1, offered.length)]?.id ?? '',
      }
    }),
    assignQuery: assign(({ event }) =>
      event.type === 'query.edited' ? { query: event.query, marked: '', apiError: null } : {},
    ),
    assignAnswer: assign(({ context }, { reply }: { reply: Reply<SearchAnswer> }) =>
      reply.ok ? { answered: { query: context.query.trim(), found: reply.value } } : {},
    ),
    handleApiError: enqueueActions(handlePageApiError),
    forgetApiError: assign({ apiError: null }),
    clear: assign({ scope: null, query: '', answered: null, apiError: null, marked: '' }),
    forgetRecent: assign({ recent: [] }),
  },
  guards: {
    isBlank: (_args, { query }: { query: string }) => query.trim() === '',
    hasChoice: ({ context, event }) => takenBy(context, event) !== undefined,
  },
  delays: { typingPause: 150 },
}).createMachine({
  id: 'palette',
  context: { scope: null, query: '', answered: null, apiError: null, marked: '', recent: [] },
  initial: 'closed',
  on: { 'user.switched': { target: '.closed', actions: ['clear', 'forgetRecent'] } },
  states: {
    closed: {
      on: { 'palette.toggled': { target: 'open', actions: assign({ scope: ({ event }) => event.scope }) } },
    },
    open: {
      initial: 'resting',
      on: {
        'palette.toggled': { target: 'closed', actions: 'clear' },
        'palette.dismissed': { target: 'closed', actions: 'clear' },
        'query.edited': [
          {
            guard: { type: 'isBlank', params: ({ event }) => event },
            target: '.resting',
            actions: ['assignQuery', assign({ answered: null })],
          },
          { target: '.typing', reenter: true, actions: 'assignQuery' },
        ],
        'choice.moved': { actions: 'mark' },
        'choice.pointed': { actions: 'mark' },
        'choice.taken': { guard: 'hasChoice', target: 'closed', actions: followChoice },
      },
      states: {
        resting: {},
        typing: {
          tags: 'busy',
          after: { typingPause: 'searching' },
          on: {
            'choice.taken': [
              { guard: 'hasChoice', target: '#palette.closed', actions: followChoice },
              { target: 'searching' },
            ],
          },
        },
        searching: {
          tags: 'busy',
          invoke: {
            id: 'search',
            src: 'search',
            input: ({ context }) => ({ query: context.query.trim() }),
            onDone: [
              {
                guard: ({ event }) => event.output.ok,
                target: 'answered',
                actions: { type: 'assignAnswer', params: ({ event }) => ({ reply: event.output }) },
              },
              {
                target: 'refused',
                actions: handleRefusal,
              },
            ],
            onError: { target: 'refused', actions: handleFault },
          },
        },
        answered: {},
        refused: { tags: 'error', on: { 'search.retried': { target: 'searching', actions: 'forgetApiError' } } },
      },
    },
  },
})
