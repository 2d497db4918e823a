import { assign, enqueueActions, fromCallback, fromPromise, raise, setup } from 'xstate'
import type { Bookmark } from '../../api/contract/system.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { takePageRefusal } from '../notifications/page-refusal.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { type Keeper, type NoteValues, keeperOf, noteFormMachine, noteRules } from './keeper.ts'
import type { StreamNames } from './shown.ts'

export type BookmarksEvent =
  | { type: 'list.retried' }
  /** They may have changed elsewhere: in another tab, or while the page was hidden. */
  | { type: 'list.outdated' }
  | { type: 'query.changed'; query: string }
  | { type: 'stream.named'; uid: string; name: string | null }
  | { type: 'edit.requested'; bookmark: Bookmark }
  | { type: 'edit.cancelled' }
  | { type: 'delete.requested'; bookmark: Bookmark }
  | { type: 'delete.confirmed' }
  | { type: 'delete.cancelled' }
  | FormReport<NoteValues, Bookmark>

interface Context {
  keeper: Keeper
  /** The server's zone by its IANA name; empty where it doesn't say it. */
  serverZone: string
  /** The IANA name of the zone that times are shown in. */
  zone: string
  /** The last that was read; null before that. */
  bookmarks: readonly Bookmark[] | null
  refusal: Refusal | null
  query: string
  names: StreamNames
  /** The one that is edited or deleted. */
  chosen: Bookmark | null
  removalRefusal: Refusal | null
}

/** The answer of the store, and whose time was chosen to be shown when it came. */
export interface Listed {
  reply: Reply<readonly Bookmark[]>
  zone: string
}

/**
 * The moments that one kept: the list, wherever it is kept, and the names of its streams, asked for once each; beside it
 * the dialog that edits a note or asks before a bookmark is deleted. What was changed is read again.
 */
export const bookmarksMachine = setup({
  types: {
    context: {} as Context,
    events: {} as BookmarksEvent,
    input: {} as PageInput,
    children: {} as { form: 'form'; previews: 'previews'; watchKept: 'watchKept'; nameStreams: 'nameStreams' },
  },
  actors: {
    form: noteFormMachine,
    previews: previewsMachine,
    fetchBookmarks: fromPromise<Listed, { keeper: Keeper; serverZone: string }>(notProvided),
    deleteBookmark: fromPromise<Reply<object>, { keeper: Keeper; id: string }>(notProvided),
    /** Answers with a `stream.named` for each that can be told. */
    nameStreams: fromCallback<BookmarksEvent, { uids: readonly string[] }>(() => undefined),
    /** Tells `list.outdated`. */
    watchKept: fromCallback<BookmarksEvent, { keeper: Keeper }>(() => undefined),
  },
  actions: {
    takeRefusal: enqueueActions((machine, { refusal }: { refusal: Refusal }) => takePageRefusal(machine, refusal)),
    replace: assign(({ context }, { bookmark }: { bookmark: Bookmark }) => ({
      bookmarks: context.bookmarks?.map((one) => (one.id === bookmark.id ? bookmark : one)) ?? null,
    })),
    drop: assign(({ context }) => ({ bookmarks: context.bookmarks?.filter(({ id }) => id !== context.chosen?.id) ?? null })),
  },
  guards: { isGone: (_args, { reply }: { reply: Reply<object> }) => reply.ok || reply.refusal.status === 404 },
}).createMachine({
  id: 'bookmarks',
  type: 'parallel',
  context: ({ input }) => ({
    keeper: keeperOf(input), serverZone: input.settings.timezone, zone: 'UTC',
    bookmarks: null, refusal: null, query: '', names: new Map(), chosen: null, removalRefusal: null,
  }),
  invoke: [
    { id: 'previews', src: 'previews' },
    { id: 'watchKept', src: 'watchKept', input: ({ context }) => ({ keeper: context.keeper }) },
  ],
  on: { 'query.changed': { actions: assign({ query: ({ event }) => event.query }) } },
  states: {
    list: {
      initial: 'loading',
      on: {
        'list.outdated': '.loading',
        'form.saved': { target: '.loading', actions: { type: 'replace', params: ({ event }) => ({ bookmark: event.answer }) } },
      },
      states: {
        loading: {
          tags: 'busy',
          invoke: {
            id: 'fetchBookmarks',
            src: 'fetchBookmarks',
            input: ({ context: { keeper, serverZone } }) => ({ keeper, serverZone }),
            onDone: [
              {
                guard: ({ event }) => event.output.reply.ok,
                target: 'ready',
                actions: assign(({ context, event: { output } }) => ({
                  bookmarks: output.reply.ok ? output.reply.value : context.bookmarks, zone: output.zone, refusal: null,
                })),
              },
              { target: 'failed', actions: { type: 'takeRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output.reply) }) } },
            ],
            onError: { target: 'failed', actions: { type: 'takeRefusal', params: { refusal: unknownRefusal } } },
          },
        },
        ready: {
          invoke: { id: 'nameStreams', src: 'nameStreams', input: ({ context }) => ({ uids: nameless(context) }) },
          on: { 'stream.named': { actions: assign({ names: ({ context, event }) => new Map(context.names).set(event.uid, event.name) }) } },
        },
        failed: { tags: 'error', on: { 'list.retried': 'loading' } },
      },
    },
    dialog: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'edit.requested': { target: 'editing', actions: assign({ chosen: ({ event }) => event.bookmark }) },
            'delete.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.bookmark, removalRefusal: null }) },
          },
        },
        editing: {
          invoke: {
            id: 'form',
            src: 'form',
            input: ({ context: { keeper, chosen } }) => ({ ...noteRules, values: { keeper, subject: { id: chosen?.id ?? '' }, note: chosen?.note ?? '' } }),
          },
          on: { 'edit.cancelled': 'closed', 'form.saved': 'closed' },
        },
        confirming: { on: { 'delete.confirmed': 'deleting', 'delete.cancelled': 'closed' } },
        deleting: {
          tags: 'removing',
          invoke: {
            id: 'deleteBookmark',
            src: 'deleteBookmark',
            input: ({ context: { keeper, chosen } }) => ({ keeper, id: chosen?.id ?? '' }),
            onDone: [
              {
                guard: { type: 'isGone', params: ({ event }) => ({ reply: event.output }) },
                target: 'closed',
                actions: ['drop', raise({ type: 'list.outdated' })],
              },
              { target: 'confirming', actions: assign({ removalRefusal: ({ event }) => refusalOf(event.output) }) },
            ],
            onError: { target: 'confirming', actions: assign({ removalRefusal: unknownRefusal }) },
          },
        },
      },
    },
  },
})

/** The streams whose names were not asked for yet, each once. */
function nameless({ bookmarks, names }: Pick<Context, 'bookmarks' | 'names'>): readonly string[] {
  return [...new Set((bookmarks ?? []).map(({ streamId }) => streamId))].filter((uid) => !names.has(uid))
}
