import { sendTo } from 'xstate'
import { defaultPeriod, lengthOf, periodShowing } from '../timeline/timeline-geometry.ts'
import { writeChange } from './address-writes.ts'
import type { ScreenCommand } from './player.actors.ts'
import { playerSetup } from './player.setup.ts'
import { panelRegion } from './player.panel.ts'
import { viewRegion } from './player.view.ts'
import { sharedRangeOf, timelineEnd } from './shared-range.ts'
import { zoneFor } from './zones.ts'

const defaultLiveWindowMs = 15_000
const defaultSpanMs = lengthOf(defaultPeriod(0))

/**
 * A stream's player. The region `view` is live or archive (docs/behaviour.md §7). Live shows the stream, or why it
 * isn't available. The archive plays a fragment and at its end asks the timeline what follows: the next fragment, or
 * live; in a loop it goes back to the loop's start. Other regions: the open panel, full screen, and a snapshot being
 * saved. Child machines: `media` loads, stalls and retries; `timeline` has the shown period and answers picks;
 * `selection` has the in and out marks; `waitingPicture` has a preview while the media loads. The player writes its
 * state into the browser's address, so that a copied link shows the same frame.
 */
export const playerMachine = playerSetup.createMachine({
  id: 'player',
  type: 'parallel',
  context: ({ input }) => ({
    uid: input.uid,
    limits: input.limits,
    zones: input.zones,
    zoneChoice: input.zoneChoice,
    zone: zoneFor(input.zoneChoice, input.zones),
    sound: input.sound,
    now: input.now,
    playhead: null,
    stream: input.stream,
    liveWindow: defaultLiveWindowMs,
    range: input.address.at === null ? null : { from: input.address.at, to: input.address.at },
    endedAt: input.address.at ?? 0,
    address: input.address,
    isFollowing: input.address.at !== null,
    bookmarkLocation: input.bookmarkLocation,
    panelAt: null,
    reverse: null,
  }),
  invoke: [
    { id: 'media', src: 'media', input: ({ context: { sound, address } }) => ({ sound, rate: address.speed }) },
    {
      id: 'timeline',
      src: 'timeline',
      input: ({ context: { uid, limits, now, zone, address, stream } }) => ({
        streamId: uid,
        rangesMaxSeconds: limits.rangesMaxSeconds,
        now: timelineEnd(stream, now),
        zone,
        period: periodShowing(defaultPeriod(now), address, now),
        bounds: sharedRangeOf(stream),
      }),
    },
    {
      id: 'selection',
      src: 'selection',
      input: ({ context: { uid, limits, address } }) => ({
        uid,
        chunkMs: limits.rangesMaxSeconds * 1000,
        selection: address.selection,
      }),
    },
    { id: 'waitingPicture', src: 'waitingPicture', input: ({ context: { uid } }) => ({ uid }) },
    { id: 'clock', src: 'clock' },
    { id: 'screen', src: 'screen' },
  ],
  entry: ['notifyLoop', 'notifyOffer'],
  on: {
    'stream.reported': {
      actions: [
        { type: 'retryWhenBack', params: ({ event }) => event },
        { type: 'notifyPermitted', params: ({ event }) => event },
        { type: 'assignStream', params: ({ event }) => event },
        'notifyOffer',
        { type: 'notifyTimeline', params: ({ context }) => ({ playhead: context.playhead }) },
      ],
    },
    'clock.ticked': {
      actions: [
        { type: 'tick', params: ({ event }) => event },
        { type: 'notifyTimeline', params: ({ event }) => event },
      ],
    },
    'play.requested': { actions: 'play' },
    'pause.requested': { actions: 'pause' },
    'retry.requested': { actions: sendTo('media', { type: 'media.retried' }) },
    'speed.chosen': {
      actions: [
        sendTo('media', ({ event }) => ({ type: 'media.rateChosen', rate: event.rate })),
        { type: 'assignSpeed', params: ({ event }) => event },
        writeChange,
      ],
    },
    'volume.chosen': {
      actions: sendTo('media', ({ event }) => ({ type: 'media.volumeChosen', volume: event.volume })),
    },
    'mute.toggled': { actions: sendTo('media', { type: 'media.muteToggled' }) },
    'step.requested': { actions: { type: 'step', params: ({ event }) => event } },
    'moment.requested': { actions: ['endFollowing', { type: 'pick', params: ({ event }) => event }] },
    'skip.requested': [
      {
        guard: { type: 'isToFragment', params: ({ event }) => event },
        actions: sendTo('timeline', ({ event: { direction, at } }) =>
          direction === 1
            ? { type: 'timeline.nextRequested', after: at }
            : { type: 'timeline.previousRequested', before: at },
        ),
      },
      {
        actions: sendTo('timeline', ({ event: { direction, at } }) => ({
          type: 'timeline.annotationRequested',
          direction,
          at,
        })),
      },
    ],
    'timeline.annotationFound': {
      guard: { type: 'isAnnotationFound', params: ({ event }) => event },
      actions: { type: 'pick', params: ({ event }) => ({ at: event.at ?? 0 }) },
    },
    'timeline.spanChanged': {
      actions: [
        { type: 'assignSpan', params: ({ event: { span } }) => ({ span: span === defaultSpanMs ? null : span }) },
        writeChange,
      ],
    },
    'loop.toggled': [
      { guard: 'isLooping', actions: ['toggleLoop', 'notifyLoop', writeChange] },
      { guard: 'hasSelection', actions: ['toggleLoop', 'notifyLoop', 'enterLoop', 'play', writeChange] },
    ],
    'selection.changed': {
      actions: [{ type: 'assignSelection', params: ({ event }) => event }, 'notifyLoop', 'enterLoop', writeChange],
    },
    'media.loopEnded': { actions: 'repeatLoop' },
    'zone.chosen': {
      actions: [
        { type: 'assignZone', params: ({ event }) => event },
        'notifyZone',
        { type: 'storeZone', params: ({ event }) => event },
      ],
    },
    'media.windowMoved': { actions: { type: 'assignLiveWindow', params: ({ event }) => event } },
    'media.running': [
      { guard: { type: 'isArchive', params: ({ event }) => event }, actions: 'notifyIdle' },
      { actions: 'notifyPlaying' },
    ],
    'media.resting': { actions: 'notifyIdle' },
    'media.waiting': {
      actions: sendTo('waitingPicture', ({ event }) => ({ type: 'picture.awaited', at: event.at })),
    },
    'media.settled': { actions: 'cancelPicture' },
  },
  states: {
    view: viewRegion,
    screen: {
      initial: 'windowed',
      states: {
        windowed: {
          on: {
            'screen.filled': 'full',
            'fullScreen.toggled': { actions: sendTo('screen', (): ScreenCommand => ({ type: 'screen.fill' })) },
          },
        },
        full: {
          on: {
            'screen.left': 'windowed',
            'fullScreen.toggled': { actions: sendTo('screen', (): ScreenCommand => ({ type: 'screen.leave' })) },
          },
        },
      },
    },
    panel: panelRegion,
    snapshot: {
      initial: 'idle',
      states: {
        idle: { on: { 'snapshot.requested': 'taking' } },
        taking: {
          tags: 'busy',
          invoke: {
            id: 'takeSnapshot',
            src: 'takeSnapshot',
            input: ({ context }) => ({ name: context.stream?.name || context.uid, zone: context.zone }),
            onDone: 'idle',
            onError: { target: 'idle', actions: { type: 'notifyFailure', params: { code: 'SnapshotFailed' } } },
          },
        },
      },
    },
  },
})
