import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { isStreamAvailable } from '../stream/stream.selectors.ts'
import type { Interval } from '../timeline/intervals.ts'
import type { MediaEvent, Sound } from './media.events.ts'
import { playerActors, type ScreenCommand } from './player.actors.ts'
import type { Panel, PlayerEvent, PlayerInput, PlayerLimits } from './player.events.ts'
import { nextFound, picked, startOf } from './player.transitions.ts'
import { isWholePlayed, stretchFrom, type Stretch } from './stretch.ts'

export interface PlayerContext {
  uid: string
  limits: PlayerLimits
  zone: string
  sound: Sound
  now: number
  stream: Stream | null
  /** How far the live window reaches back from now, in milliseconds. */
  liveWindow: number
  /** The stretch of the archive that was asked for last. */
  stretch: Stretch | null
  /** Where its video ended. */
  endedAt: number
  /** What the address says: the moment of the archive, null for live. */
  addressAt: number | null
  /** The moment on the screen when a panel was opened. */
  panelAt: number | null
}

const usualWindow = 15_000
const mostDelay = 60_000

const isLive = (interval: Interval | null) => interval?.type === 'live'

const playerSetup = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as PlayerEvent,
    input: {} as PlayerInput,
    children: {} as { media: 'media'; timeline: 'timeline'; clip: 'clip'; clock: 'clock'; screen: 'screen'; takeSnapshot: 'takeSnapshot' },
  },
  actors: playerActors,
  actions: {
    takeStream: assign((_, { stream }: { stream: Stream }) => ({ stream })),
    /** A stream that came back needn't be waited for. */
    retryWhenBack: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (stream.status === 'running' && context.stream !== null && context.stream.status !== 'running') {
        enqueue.sendTo('media', { type: 'media.retried' })
      }
    }),
    /** Where the playlist for a moment starts and ends (spec.md §4, live to archive). */
    stretchFrom: assign(({ context }, { at, fragment }: { at: number; fragment: Pick<Interval, 'to'> }) => ({
      stretch: stretchFrom(at, fragment, { playlistMaxSeconds: context.limits.playlistMaxSeconds, now: context.now }),
    })),
    aimLive: sendTo('media', ({ context }): MediaEvent => ({ type: 'media.aimed', source: { kind: 'live', uid: context.uid } })),
    aimArchive: enqueueActions(({ context: { stretch, uid }, enqueue }) => {
      if (stretch !== null) enqueue.sendTo('media', { type: 'media.aimed', source: { kind: 'archive', uid, ...stretch } })
    }),
    drop: sendTo('media', { type: 'media.dropped' }),
    play: sendTo('media', { type: 'media.playRequested' }),
    pause: sendTo('media', { type: 'media.pauseRequested' }),
    takeEnd: assign((_, { at }: { at: number }) => ({ endedAt: at })),
    askWhatFollows: sendTo('timeline', ({ context: { stretch, endedAt } }) =>
      stretch !== null && isWholePlayed(stretch, endedAt)
        ? { type: 'timeline.pickRequested', at: Math.max(endedAt, stretch.to) }
        : { type: 'timeline.nextRequested', after: endedAt },
    ),
    tick: assign((_, { now }: { now: number }) => ({ now })),
    tellTimeline: enqueueActions(({ context: { now, liveWindow, stream, limits }, enqueue }, { playing }: { playing: number | null }) => {
      const available = stream !== null && isStreamAvailable(stream, limits)
      enqueue.sendTo('timeline', { type: 'timeline.liveChanged', available, windowStart: now - liveWindow, now })
      enqueue.sendTo('timeline', { type: 'timeline.ticked', now, playing })
    }),
    takeWindow: assign(({ context }, { from, to }: { from: number; to: number }) => ({
      liveWindow: Math.min(to - from + mostDelay, Math.max(to - from, context.now - from)),
    })),
    /** Keeps the moment in the address without a step of history. */
    keepAddress: (_, _params: { at: number | null }) => undefined,
    tellPlaying: sendParent({ type: 'stream.playing' }),
    tellIdle: sendParent({ type: 'stream.idle' }),
    tellFailure: enqueueActions(({ enqueue, system }, { code }: { code: string }) => {
      const notifications = notificationsOf(system)
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'error', code })
    }),
  },
  guards: {
    isKnown: ({ context }) => context.stream !== null,
    isUnavailable: ({ context: { stream, limits } }) => stream !== null && !isStreamAvailable(stream, limits),
    isHalted: ({ context }) => context.stream?.status === 'paused',
    isReachable: ({ context: { stream, limits } }) => stream !== null && isStreamAvailable(stream, limits),
    isResumed: ({ context }) => context.stream?.status !== 'paused',
    isOfLive: (_, { interval }: { interval: Interval | null }) => isLive(interval),
    isOfFragment: (_, { interval }: { interval: Interval | null }) => interval?.type === 'fragment',
    isCalendar: (_, { panel }: { panel: Panel }) => panel === 'calendar',
    isFollowed: (_, { nextFragment }: { nextFragment: Interval | null }) => nextFragment !== null,
    isArchive: (_, { kind }: { kind: 'live' | 'archive' }) => kind === 'archive',
    startsInArchive: ({ context }) => context.stretch !== null,
    isOtherMoment: ({ context }, { at }: { at: number | null }) => at !== null && at !== context.addressAt,
    isOtherLive: ({ context }, { at }: { at: number | null }) => at === null && context.addressAt !== null,
  },
})

/**
 * A stream's player. Its `view` is live or archive (spec.md §4): live shows the stream, or nothing where it can't be had;
 * the archive plays a fragment and, at its end, asks the timeline what follows: the next fragment, or live. Beside it one
 * panel may be open, the player may fill the screen and a snapshot may be on its way. Loading, stalls and retries are the
 * media machine's, periods, ranges and picks the timeline's.
 */
export const playerMachine = playerSetup.createMachine({
  id: 'player',
  type: 'parallel',
  context: ({ input }) => ({
    uid: input.uid,
    limits: input.limits,
    zone: input.zone,
    sound: input.sound,
    now: input.now,
    stream: input.stream,
    liveWindow: usualWindow,
    stretch: input.at === null ? null : { from: input.at, to: input.at },
    endedAt: input.at ?? 0,
    addressAt: input.at,
    panelAt: null,
  }),
  invoke: [
    { id: 'media', src: 'media', input: ({ context }) => ({ sound: context.sound }) },
    {
      id: 'timeline',
      src: 'timeline',
      input: ({ context: { uid, limits, now, zone } }) => ({ streamId: uid, rangesMaxSeconds: limits.rangesMaxSeconds, now, zone }),
    },
    { id: 'clock', src: 'clock' },
    { id: 'screen', src: 'screen' },
  ],
  on: {
    'stream.reported': {
      actions: [
        { type: 'retryWhenBack', params: ({ event }) => event },
        { type: 'takeStream', params: ({ event }) => event },
        { type: 'tellTimeline', params: { playing: null } },
      ],
    },
    'clock.ticked': {
      actions: [{ type: 'tick', params: ({ event }) => event }, { type: 'tellTimeline', params: ({ event }) => event }],
    },
    'play.requested': { actions: 'play' },
    'pause.requested': { actions: 'pause' },
    'retry.requested': { actions: sendTo('media', { type: 'media.retried' }) },
    'speed.chosen': { actions: sendTo('media', ({ event }) => ({ type: 'media.rateChosen', rate: event.rate })) },
    'volume.chosen': { actions: sendTo('media', ({ event }) => ({ type: 'media.volumeChosen', volume: event.volume })) },
    'mute.toggled': { actions: sendTo('media', { type: 'media.muteToggled' }) },
    'step.requested': { actions: sendTo('media', ({ event }) => ({ type: 'media.stepRequested', direction: event.direction })) },
    'moment.requested': { actions: sendTo('timeline', ({ event }) => ({ type: 'timeline.pickRequested', at: event.at })) },
    'skip.requested': {
      actions: sendTo('timeline', ({ event: { direction, at } }) =>
        direction === 1 ? { type: 'timeline.nextRequested', after: at } : { type: 'timeline.previousRequested', before: at },
      ),
    },
    'media.windowMoved': { actions: { type: 'takeWindow', params: ({ event }) => event } },
    'media.running': [
      { guard: { type: 'isArchive', params: ({ event }) => event }, actions: 'tellIdle' },
      { actions: 'tellPlaying' },
    ],
    'media.resting': { actions: 'tellIdle' },
  },
  states: {
    view: {
      initial: 'starting',
      on: {
        'live.requested': { target: '.live', actions: 'play' },
        'timeline.picked': picked(),
        'timeline.nextFound': nextFound(),
        'timeline.previousFound': {
          guard: { type: 'isOfFragment', params: ({ event }) => ({ interval: event.previous }) },
          target: '.archive.inFragment',
          actions: { type: 'stretchFrom', params: ({ event }) => startOf(event.previous) },
        },
        'address.moved': [
          {
            guard: { type: 'isOtherMoment', params: ({ event }) => event },
            actions: sendTo('timeline', ({ event }) => ({ type: 'timeline.pickRequested', at: event.at ?? 0 })),
          },
          { guard: { type: 'isOtherLive', params: ({ event }) => event }, target: '.live' },
        ],
      },
      states: {
        starting: { always: [{ guard: 'startsInArchive', target: 'archive.inGap' }, { target: 'live' }] },
        live: {
          initial: 'deciding',
          entry: [assign({ stretch: null, addressAt: null }), { type: 'keepAddress', params: { at: null } }],
          states: {
            deciding: {
              tags: 'busy',
              always: [
                { guard: 'isUnavailable', target: 'empty' },
                { guard: 'isHalted', target: 'halted' },
                { guard: 'isKnown', target: 'watching' },
              ],
            },
            empty: { entry: 'drop', always: { guard: 'isReachable', target: 'deciding' } },
            halted: { entry: 'drop', always: [{ guard: 'isUnavailable', target: 'empty' }, { guard: 'isResumed', target: 'deciding' }] },
            watching: {
              entry: 'aimLive',
              always: [{ guard: 'isUnavailable', target: 'empty' }, { guard: 'isHalted', target: 'halted' }],
            },
          },
        },
        archive: {
          initial: 'inFragment',
          on: {
            'clock.ticked': {
              actions: [
                assign({ addressAt: ({ context, event }) => event.playing ?? context.addressAt }),
                { type: 'tick', params: ({ event }) => event },
                { type: 'tellTimeline', params: ({ event }) => event },
                { type: 'keepAddress', params: ({ context }) => ({ at: context.addressAt }) },
              ],
            },
          },
          states: {
            inFragment: {
              entry: 'aimArchive',
              on: { 'media.ended': { target: 'inGap', actions: { type: 'takeEnd', params: ({ event }) => event } } },
            },
            inGap: {
              tags: 'busy',
              entry: 'askWhatFollows',
              on: {
                'timeline.picked': [
                  ...picked(),
                  { guard: 'isReachable', target: '#player.view.live' },
                  { target: 'atEnd' },
                ],
                'timeline.nextFound': [
                  ...nextFound(),
                  { guard: 'isReachable', target: '#player.view.live' },
                  { target: 'atEnd' },
                ],
              },
            },
            atEnd: { entry: 'pause', on: { 'play.requested': { target: 'inGap', actions: 'play' } } },
          },
        },
      },
    },
    screen: {
      initial: 'windowed',
      states: {
        windowed: {
          on: { 'screen.filled': 'full', 'fullScreen.toggled': { actions: sendTo('screen', (): ScreenCommand => ({ type: 'screen.fill' })) } },
        },
        full: {
          on: { 'screen.left': 'windowed', 'fullScreen.toggled': { actions: sendTo('screen', (): ScreenCommand => ({ type: 'screen.leave' })) } },
        },
      },
    },
    panel: {
      initial: 'closed',
      on: {
        'panel.opened': [
          { guard: { type: 'isCalendar', params: ({ event }) => event }, target: '.calendar', actions: assign({ panelAt: ({ event }) => event.at }) },
          { target: '.download', actions: assign({ panelAt: ({ event }) => event.at }) },
        ],
      },
      states: {
        closed: {},
        calendar: { on: { 'panel.closed': 'closed', 'timeline.picked': 'closed' } },
        download: {
          invoke: {
            id: 'clip',
            src: 'clip',
            input: ({ context: { uid, limits, now, zone, panelAt } }) => ({ uid, at: panelAt ?? now, now, zone, maxSeconds: limits.archiveDownloadMaxSeconds }),
          },
          on: { 'panel.closed': 'closed' },
        },
      },
    },
    snapshot: {
      initial: 'idle',
      states: {
        idle: { on: { 'snapshot.requested': 'taking' } },
        taking: {
          tags: 'busy',
          invoke: {
            id: 'takeSnapshot',
            src: 'takeSnapshot',
            input: ({ context }) => ({ name: context.stream?.name || context.uid }),
            onDone: 'idle',
            onError: { target: 'idle', actions: { type: 'tellFailure', params: { code: 'SnapshotFailed' } } },
          },
        },
      },
    },
  },
})
