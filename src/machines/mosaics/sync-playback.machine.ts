import { raise } from 'xstate'
import { noMarks } from '../player/in-out-marks.ts'
import { defaultPeriod, periodShowing } from '../timeline/timeline-geometry.ts'
import { isLiveMoment } from './sync-moments.ts'
import {
  changeSlots,
  defaultSpanMs,
  changeMarks,
  movePeriod,
  notifyPeriod,
  notifyMoment,
  writeAddress,
} from './sync-playback.actions.ts'
import { reversingState } from './sync-playback.reverse.ts'
import { syncPlaybackSetup } from './sync-playback.setup.ts'

const restTracks = { type: 'notifyTracks' as const, params: { type: 'track.rested' as const } }
/** While the page is hidden no track wakes. Once it is shown, `notifySlots` wakes those whose tiles are in sight. */
const [updateTracks] = changeSlots
const changeHiddenSlots = { actions: [updateTracks, restTracks] }
const toReversing = {
  target: 'reversing' as const,
  actions: {
    type: 'assignReverse' as const,
    params: ({ event }: { event: { readonly rate: number } }) => event,
  },
}

/** The transitions after the readiness barrier or its timeout. */
const afterBarrier = () =>
  [{ guard: 'isPlaying' as const, target: 'playing' as const }, { target: 'paused' as const }] as const

/**
 * Synchronized playback of a mosaic's archive by one shared clock. In `live`, all tiles are live, and the machine only
 * serves the timeline. A requested moment sets the clock (`archive`), which starts once all available tiles are ready,
 * or after a second. A track for each tile decides what the tile plays; sync controllers, outside the machines, keep
 * the pictures at the clock. When the clock comes near the present, all tiles return to live.
 */
export const syncPlaybackMachine = syncPlaybackSetup.createMachine({
  id: 'syncPlayback',
  context: ({ input: { limits, now, zone, address, slots } }) => ({
    limits,
    zone,
    now,
    slots,
    tracks: {},
    period: periodShowing(defaultPeriod(now), { at: address.at, span: address.span ?? defaultSpanMs }, now),
    width: 0,
    at: address.at === null || isLiveMoment(address.at, now) ? null : address.at,
    rate: address.speed,
    reverse: null,
    archiveStart: null,
    isPlaying: true,
    marks: address.selection ?? noMarks,
  }),
  invoke: [
    { id: 'sharedClock', src: 'sharedClock' },
    { id: 'visibility', src: 'visibility' },
  ],
  entry: [{ type: 'updateTracks', params: ({ context }) => context }, 'notifySlots', notifyPeriod],
  initial: 'starting',
  on: {
    'timeline.zoomedIn': { actions: movePeriod },
    'timeline.zoomedOut': { actions: movePeriod },
    'timeline.zoomedAt': { actions: movePeriod },
    'timeline.movedEarlier': { actions: movePeriod },
    'timeline.movedLater': { actions: movePeriod },
    'timeline.centred': { actions: movePeriod },
    'timeline.panned': { actions: movePeriod },
    'timeline.resized': { actions: movePeriod },
    'slots.changed': { actions: changeSlots },
    'selection.inMarked': changeMarks,
    'selection.outMarked': changeMarks,
    'selection.spanned': changeMarks,
    'selection.cleared': changeMarks,
    'tile.leftLive': {
      actions: { type: 'notifyTrack', params: ({ event: { key } }) => ({ key, event: { type: 'track.leftLive' } }) },
    },
    'tile.joined': {
      actions: { type: 'notifyTrack', params: ({ event: { key } }) => ({ key, event: { type: 'track.joined' } }) },
    },
    'track.seen': {
      actions: {
        type: 'notifyTrack',
        params: ({ event: { key, isSeen } }) => ({ key, event: { type: 'track.seen', isSeen } }),
      },
    },
    'moment.requested': [
      { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: '.live' },
      { target: '.archive.seeking', actions: { type: 'assignMoment', params: ({ event }) => event } },
    ],
    'moment.shared': {
      actions: [
        { type: 'notifyTracks', params: { type: 'track.joined' } },
        raise(({ event }) => ({ type: 'moment.requested' as const, at: event.at })),
      ],
    },
    'address.moved': [
      {
        guard: { type: 'isOtherMoment', params: ({ event }) => event },
        target: '.archive.seeking',
        actions: [
          { type: 'assignMoment', params: ({ event }) => ({ at: event.address.at ?? 0 }) },
          { type: 'assignRate', params: ({ event }) => ({ rate: event.address.speed }) },
          { type: 'adoptMarks', params: ({ event }) => event },
        ],
      },
      {
        guard: { type: 'isReturnToLive', params: ({ event }) => event },
        target: '.live',
        actions: { type: 'adoptMarks', params: ({ event }) => event },
      },
      { actions: { type: 'adoptMarks', params: ({ event }) => event } },
    ],
  },
  states: {
    starting: { always: [{ guard: 'startsInArchive', target: 'archive' }, { target: 'live' }] },
    live: {
      entry: ['returnToLive', 'stopClock', 'revealMoment', notifyPeriod, ...notifyMoment, writeAddress('arrived')],
      initial: 'watching',
      on: {
        'sharedClock.ticked': {
          actions: [{ type: 'advance', params: ({ event: { now } }) => ({ at: null, now }) }, ...notifyMoment],
        },
      },
      states: {
        watching: { on: { 'page.hidden': 'hidden' } },
        hidden: {
          entry: restTracks,
          exit: 'notifySlots',
          on: { 'page.shown': 'watching', 'slots.changed': changeHiddenSlots },
        },
      },
    },
    archive: {
      initial: 'seeking',
      on: {
        'sharedClock.ticked': [
          { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: 'live' },
          { actions: [{ type: 'advance', params: ({ event }) => event }, ...notifyMoment, writeAddress('advanced')] },
        ],
        'live.requested': 'live',
        'speed.chosen': { actions: [{ type: 'assignRate', params: ({ event }) => event }, writeAddress('changed')] },
        'page.hidden': '.hidden',
      },
      states: {
        seeking: {
          tags: 'busy',
          entry: ['setClock', 'revealMoment', notifyPeriod, ...notifyMoment, writeAddress('arrived')],
          invoke: {
            id: 'readinessBarrier',
            src: 'readinessBarrier',
            input: ({ context }) => ({ tracks: Object.values(context.tracks) }),
            onDone: afterBarrier(),
            onError: afterBarrier(),
          },
          after: { readinessTimeout: afterBarrier() },
          on: {
            'play.requested': { actions: { type: 'setPlaying', params: { isPlaying: true } } },
            'pause.requested': { actions: { type: 'setPlaying', params: { isPlaying: false } } },
            'reverse.requested': toReversing,
            'step.requested': {
              target: 'seeking',
              reenter: true,
              actions: [
                { type: 'setPlaying', params: { isPlaying: false } },
                { type: 'stepMoment', params: ({ event }) => event },
              ],
            },
          },
        },
        playing: {
          entry: [{ type: 'setPlaying', params: { isPlaying: true } }, 'runClock'],
          on: {
            'pause.requested': 'paused',
            'step.requested': 'paused',
            'reverse.requested': toReversing,
            'speed.chosen': {
              actions: [{ type: 'assignRate', params: ({ event }) => event }, 'runClock', writeAddress('changed')],
            },
          },
        },
        paused: {
          entry: [{ type: 'setPlaying', params: { isPlaying: false } }, 'stopClock'],
          on: {
            'play.requested': { target: 'seeking', actions: { type: 'setPlaying', params: { isPlaying: true } } },
            'step.requested': { target: 'seeking', actions: { type: 'stepMoment', params: ({ event }) => event } },
            'reverse.requested': toReversing,
          },
        },
        reversing: reversingState,
        hidden: {
          entry: ['stopClock', restTracks],
          exit: 'notifySlots',
          on: { 'page.shown': 'seeking', 'slots.changed': changeHiddenSlots },
        },
      },
    },
  },
})
