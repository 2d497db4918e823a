import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { ApiError } from '../../api/reply.ts'
import { notProvided } from '../not-provided.ts'
import { addressOf } from '../player/address.ts'
import { type Coverage, type CoverageReport, coverageMachine } from '../timeline/coverage.machine.ts'
import { pictureMachine } from './picture.machine.ts'
import { probingMachine } from './probing.machine.ts'
import { removalMachine } from './removal.machine.ts'
import { shareMachine } from './share.machine.ts'
import { canViewArchiveAs, type StreamContentInput, type StreamContentReport } from './stream-page.machine.ts'

/** What the calendar of recorded days needs: the current moment, and the IANA name of the browser's time zone. */
export interface Calendar {
  now: number
  zone: string
}

type Event = CoverageReport | StreamContentReport | { type: 'stream.reported'; stream: Stream }

interface Context {
  uid: string
  canViewArchive: boolean
  calendar: Calendar | null
  coverage: Coverage | null
  coverageApiError: ApiError | null
  picture: ActorRefFrom<typeof pictureMachine>
  share: ActorRefFrom<typeof shareMachine>
  removal: ActorRefFrom<typeof removalMachine>
  probing: ActorRefFrom<typeof probingMachine>
}

/**
 * The info page of a stream: its status, the latest picture, the recorded days for users who may view the archive,
 * sharing, a probe of the source, and deleting.
 */
export const streamInfoMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as StreamContentInput },
  actors: {
    readCalendar: fromPromise<Calendar>(notProvided),
    coverage: coverageMachine,
    picture: pictureMachine,
    share: shareMachine,
    removal: removalMachine,
    probing: probingMachine,
  },
  actions: {
    notifyShare: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      enqueue.sendTo(context.share, { type: 'share.reported', isShared: stream.meta.isShared })
    }),
    notifyParent: sendParent((_args, { type }: StreamContentReport) => ({ type })),
  },
  guards: { canViewArchive: ({ context }) => context.canViewArchive },
}).createMachine({
  id: 'streamInfo',
  context: ({ input: { uid, search, stream, settings, user }, spawn }) => ({
    uid,
    canViewArchive: canViewArchiveAs(stream, user),
    calendar: null,
    coverage: null,
    coverageApiError: null,
    picture: spawn('picture', { id: 'picture', input: { uid } }),
    share: spawn('share', {
      id: 'share',
      input: {
        uid,
        isShared: stream.meta.isShared,
        marks: settings.features.includes('share-range') ? addressOf(search).selection : null,
      },
    }),
    removal: spawn('removal', { id: 'removal', input: { uid } }),
    probing: spawn('probing', { id: 'probing' }),
  }),
  initial: 'reading',
  on: {
    'stream.reported': { actions: { type: 'notifyShare', params: ({ event }) => event } },
    'removal.started': { actions: { type: 'notifyParent', params: ({ event }) => event } },
    'removal.failed': { actions: { type: 'notifyParent', params: ({ event }) => event } },
    'stream.removed': { actions: { type: 'notifyParent', params: ({ event }) => event } },
  },
  states: {
    reading: {
      invoke: {
        id: 'readCalendar',
        src: 'readCalendar',
        onDone: [
          {
            guard: 'canViewArchive',
            target: 'followingCoverage',
            actions: assign({ calendar: ({ event }) => event.output }),
          },
          { target: 'withoutCoverage', actions: assign({ calendar: ({ event }) => event.output }) },
        ],
        onError: 'withoutCoverage',
      },
    },
    followingCoverage: {
      invoke: {
        id: 'coverage',
        src: 'coverage',
        input: ({ context }) => ({ streamId: context.uid, zone: context.calendar?.zone ?? 'UTC' }),
      },
      on: {
        'coverage.changed': {
          actions: assign({ coverage: ({ event }) => event.coverage, coverageApiError: ({ event }) => event.apiError }),
        },
      },
    },
    withoutCoverage: {},
  },
})
