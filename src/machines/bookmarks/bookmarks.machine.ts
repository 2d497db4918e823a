import { assign, enqueueActions, fromCallback, fromPromise, raise, setup } from 'xstate'
import type { Bookmark } from '../../api/contract/system.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { isGone } from '../notifications/action-error.ts'
import { pageBroken, handlePageApiError } from '../notifications/page-error.ts'
import { raiseErrorToast } from '../notifications/toast.ts'
import { apiErrorOf, unknownApiError } from '../api-errors.ts'
import { previewsMachine } from '../streams/previews.machine.ts'
import { type BookmarkLocation, type NoteValues, bookmarkLocationOf, noteFormMachine } from './bookmark-location.ts'
import type { StreamNames } from './shown.ts'

export type BookmarksEvent =
  | { type: 'list.retried' }
  /** The bookmarks may have changed, in another tab or while the page was hidden. */
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
  bookmarkLocation: BookmarkLocation
  /** The server's time zone, an IANA name; '' if the server doesn't report it. */
  serverZone: string
  /** The time zone that times are shown in, an IANA name. */
  zone: string
  bookmarks: readonly Bookmark[] | null
  apiError: ApiError | null
  query: string
  names: StreamNames
  /** The bookmark that the dialog edits or deletes. */
  chosen: Bookmark | null
  /** Why the chosen bookmark wasn't deleted. */
  removalApiError: ApiError | null
}

/** The reply, and the time zone that times are shown in, an IANA name. */
export interface FetchedBookmarks {
  reply: Reply<readonly Bookmark[]>
  zone: string
}

/**
 * The bookmarks page: the list of bookmarks from the server or this browser, and the names of their streams, each
 * requested once; in parallel the dialogs that edit a note or confirm a deletion. After a change the list is fetched
 * again.
 */
export const bookmarksMachine = setup({
  types: {
    context: {} as Context,
    events: {} as BookmarksEvent,
    input: {} as PageInput,
    children: {} as {
      form: 'form'
      previews: 'previews'
      watchForChanges: 'watchForChanges'
      nameStreams: 'nameStreams'
    },
  },
  actors: {
    form: noteFormMachine,
    previews: previewsMachine,
    fetchBookmarks: fromPromise<FetchedBookmarks, { bookmarkLocation: BookmarkLocation; serverZone: string }>(
      notProvided,
    ),
    deleteBookmark: fromPromise<Reply<object>, { bookmarkLocation: BookmarkLocation; id: string }>(notProvided),
    /** Sends a `stream.named` for each stream, unless its request fails. */
    nameStreams: fromCallback<BookmarksEvent, { uids: readonly string[] }>(() => undefined),
    watchForChanges: fromCallback<BookmarksEvent, { bookmarkLocation: BookmarkLocation }>(() => undefined),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    refuseRemoval: enqueueActions(({ enqueue, system }, { apiError }: { apiError: ApiError }) => {
      enqueue.assign({ removalApiError: apiError })
      raiseErrorToast({ enqueue, system }, { apiError })
    }),
    replaceBookmark: assign(({ context }, { bookmark }: { bookmark: Bookmark }) => ({
      bookmarks: context.bookmarks?.map((one) => (one.id === bookmark.id ? bookmark : one)) ?? null,
    })),
    dropChosen: assign(({ context }) => ({
      bookmarks: context.bookmarks?.filter(({ id }) => id !== context.chosen?.id) ?? null,
    })),
  },
  guards: { isGone },
}).createMachine({
  id: 'bookmarks',
  type: 'parallel',
  context: ({ input }) => ({
    bookmarkLocation: bookmarkLocationOf(input),
    serverZone: input.settings.timezone,
    zone: 'UTC',
    bookmarks: null,
    apiError: null,
    query: '',
    names: new Map(),
    chosen: null,
    removalApiError: null,
  }),
  invoke: [
    { id: 'previews', src: 'previews' },
    {
      id: 'watchForChanges',
      src: 'watchForChanges',
      input: ({ context }) => ({ bookmarkLocation: context.bookmarkLocation }),
    },
  ],
  on: { 'query.changed': { actions: assign({ query: ({ event }) => event.query }) } },
  states: {
    list: {
      initial: 'loading',
      on: {
        'list.outdated': '.loading',
        'form.saved': {
          target: '.loading',
          actions: { type: 'replaceBookmark', params: ({ event }) => ({ bookmark: event.answer }) },
        },
      },
      states: {
        loading: {
          tags: 'busy',
          invoke: {
            id: 'fetchBookmarks',
            src: 'fetchBookmarks',
            input: ({ context: { bookmarkLocation, serverZone } }) => ({ bookmarkLocation, serverZone }),
            onDone: [
              {
                guard: ({ event }) => event.output.reply.ok,
                target: 'ready',
                actions: assign(({ context, event: { output } }) => ({
                  bookmarks: output.reply.ok ? output.reply.value : context.bookmarks,
                  zone: output.zone,
                  apiError: null,
                })),
              },
              {
                target: 'failed',
                actions: {
                  type: 'handleApiError',
                  params: ({ event }) => ({ apiError: apiErrorOf(event.output.reply) }),
                },
              },
            ],
            onError: pageBroken,
          },
        },
        ready: {
          invoke: {
            id: 'nameStreams',
            src: 'nameStreams',
            input: ({ context }) => ({ uids: unnamedStreams(context) }),
          },
          on: {
            'stream.named': {
              actions: assign({ names: ({ context, event }) => new Map(context.names).set(event.uid, event.name) }),
            },
          },
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
            'delete.requested': {
              target: 'confirming',
              actions: assign({ chosen: ({ event }) => event.bookmark, removalApiError: null }),
            },
          },
        },
        editing: {
          invoke: {
            id: 'form',
            src: 'form',
            input: ({ context: { bookmarkLocation, chosen } }) => ({
              facts: null,
              values: { bookmarkLocation, subject: { id: chosen?.id ?? '' }, note: chosen?.note ?? '' },
            }),
          },
          on: { 'edit.cancelled': 'closed', 'form.saved': 'closed' },
        },
        confirming: { on: { 'delete.confirmed': 'deleting', 'delete.cancelled': 'closed' } },
        deleting: {
          tags: 'removing',
          invoke: {
            id: 'deleteBookmark',
            src: 'deleteBookmark',
            input: ({ context: { bookmarkLocation, chosen } }) => ({ bookmarkLocation, id: chosen?.id ?? '' }),
            onDone: [
              {
                guard: { type: 'isGone', params: ({ event }) => ({ reply: event.output }) },
                target: 'closed',
                actions: ['dropChosen', raise({ type: 'list.outdated' })],
              },
              {
                target: 'confirming',
                actions: { type: 'refuseRemoval', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
              },
            ],
            onError: {
              target: 'confirming',
              actions: { type: 'refuseRemoval', params: { apiError: unknownApiError } },
            },
          },
        },
      },
    },
  },
})

function unnamedStreams({ bookmarks, names }: Pick<Context, 'bookmarks' | 'names'>): readonly string[] {
  return [...new Set((bookmarks ?? []).map(({ streamId }) => streamId))].filter((uid) => !names.has(uid))
}
