import { type ActorRefFrom, type AnyActorLogic, assign, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { Settings } from '../../api/contract/settings.ts'
import type { Stream } from '../../api/contract/stream.ts'
import type { User } from '../../api/contract/user.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import type { StreamReport } from '../stream/stream.events.ts'
import { streamMachine } from '../stream/stream.machine.ts'
import { canViewArchive } from '../stream/stream.selectors.ts'

export interface StreamContentInput {
  uid: string
  /** The query of the address that the page was opened with. */
  search: string
  stream: Stream
  settings: Settings
  user: User | null
}

/** Reported by the content while it deletes the stream. */
export type StreamContentReport = { type: 'removal.started' } | { type: 'removal.failed' } | { type: 'stream.removed' }

/** Reported by the content after it changed the stream. */
export interface StreamSaved {
  type: 'stream.saved'
  stream: Stream
}

type Event = StreamReport | StreamContentReport | StreamSaved | { type: 'stream.retried' }

interface Context {
  uid: string
  search: string
  settings: Settings
  user: User | null
  stream: Stream | null
}

export type StreamPageRef = ActorRefFrom<typeof streamPageMachine>

type Reported = { context: Context; event: { stream: Stream } }

const reported = ({ event }: Reported) => ({ stream: event.stream })
const assignReported = [
  { type: 'assignStream' as const, params: reported },
  { type: 'describe' as const, params: reported },
] as const
const enterParams = ({ context, event }: Reported) => ({ stream: event.stream, user: context.user })

const noContent: AnyActorLogic = fromPromise(notProvided)

/** Whether the user may change the stream, view its log and set its permissions. */
export const canAdminister = (stream: Stream, user: User | null): boolean =>
  stream.meta.canAdmin || user?.isAdmin === true

/**
 * As `canViewArchive`, and for administrators, whose rights a server may not list in the stream. The player and mosaics
 * go by the stream alone.
 */
export const canViewArchiveAs = (stream: Stream, user: User | null): boolean =>
  canViewArchive(stream) || canAdminister(stream, user)

/**
 * A page about one stream. The stream is polled from the start. Once it has arrived and the visitor may open the page,
 * the page's content runs and is notified of every change; what the content saves applies at once. Without the right to
 * this page the visitor waits in `denied` until a poll grants the right. If the server refuses the stream itself
 * (`forbidden`), polling ends until a retry. If the content throws (`broken`), a retry starts the whole page again.
 * While the content deletes the stream, a poll that doesn't find it is expected.
 */
export const streamPageMachine = setup({
  types: {
    context: {} as Context,
    events: {} as Event,
    input: {} as PageInput,
    children: {} as { stream: 'stream'; content: 'content' },
  },
  actors: { stream: streamMachine, content: noContent },
  actions: {
    assignStream: assign((_, { stream }: { stream: Stream }) => ({ stream })),
    describe: sendParent(({ context }, { stream }: { stream: Stream }) => ({
      type: 'page.described',
      subject: {
        kind: 'stream',
        id: context.uid,
        name: stream.name || context.uid,
        canAdmin: canAdminister(stream, context.user),
      },
    })),
    notifyContent: sendTo('content', (_, { stream }: { stream: Stream }) => ({ type: 'stream.reported', stream })),
    notifySaved: sendTo('stream', (_, { stream }: { stream: Stream }): StreamSaved => ({
      type: 'stream.saved',
      stream,
    })),
    notifyMissing: sendParent({ type: 'page.missing' }),
    goToList: sendParent({ type: 'navigation.requested', href: '/streams' }),
  },
  guards: {
    /** Whether the visitor may open this page; the wiring provides the rule of each page. */
    mayEnter: (_args, _params: { stream: Stream; user: User | null }) => true,
  },
}).createMachine({
  id: 'streamPage',
  context: ({ input }) => ({
    uid: input.params['uid'] ?? '',
    search: input.address.search,
    settings: input.settings,
    user: input.user,
    stream: null,
  }),
  initial: 'visit',
  states: {
    visit: {
      invoke: { id: 'stream', src: 'stream', input: ({ context }) => ({ uid: context.uid }) },
      on: {
        'stream.forbidden': '.forbidden',
        'page.missing': { actions: 'notifyMissing' },
        'stream.reported': [
          { guard: { type: 'mayEnter', params: enterParams }, target: '.open', actions: assignReported },
          { target: '.denied', actions: assignReported },
        ],
      },
      initial: 'opening',
      states: {
        opening: { tags: 'busy' },
        open: {
          invoke: {
            id: 'content',
            src: 'content',
            input: ({ context }: { context: Context }) => contentInput(context),
            onError: 'broken',
          },
          on: {
            'stream.saved': { actions: { type: 'notifySaved', params: ({ event }) => event } },
            'stream.reported': {
              guard: { type: 'mayEnter', params: enterParams },
              actions: [...assignReported, { type: 'notifyContent', params: ({ event }) => event }],
            },
          },
          initial: 'staying',
          states: {
            staying: { on: { 'removal.started': 'removing' } },
            removing: {
              on: {
                'page.missing': 'gone',
                'removal.failed': 'staying',
                'stream.removed': { actions: 'goToList' },
              },
            },
            /** A poll has found the stream deleted before the answer to the removal came. */
            gone: {
              on: {
                'page.missing': {},
                'removal.failed': { actions: 'notifyMissing' },
                'stream.removed': { actions: 'goToList' },
              },
            },
          },
        },
        denied: { tags: 'error' },
        broken: {
          tags: 'error',
          on: { 'stream.reported': {}, 'stream.retried': { target: '#streamPage.visit', reenter: true } },
        },
        forbidden: {
          tags: 'error',
          on: { 'stream.reported': {}, 'stream.retried': { target: '#streamPage.visit', reenter: true } },
        },
      },
    },
  },
})

const contentInput = ({ uid, search, stream, settings, user }: Context) => ({ uid, search, stream, settings, user })
