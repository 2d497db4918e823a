import { assign, sendTo } from 'xstate'
import { failed } from './media.failure.ts'
import { mediaSetup, startOf } from './media.setup.ts'
import { toggled } from './media.sound.ts'
import { mainOnly } from './rendition.ts'

/**
 * The media of one `<video>`. A source is loaded; then it plays, rests or stalls, as the engine reports. When playback
 * is interrupted, the source is unloaded and loaded again after growing pauses: live at the edge, an archive where it
 * stopped. A stalled live picture is also loaded again when its stream runs again (`media.retried`), as its size or
 * sound may have changed. What waiting can't cure stays until another source is requested or the user retries:
 * `forbidden` (a missing right) and `unplayable` (a codec), which also ends when the stream offers a rendition that the
 * browser plays. A live picture that stalls too long or is interrupted is reported as lost. rendition.ts decides the
 * rendition by the picture's size, its speed and the browser; when it changes, the last frame of the old one stays
 * until the first frame of the new one.
 */
export const mediaMachine = mediaSetup.createMachine({
  id: 'media',
  context: ({ input }) => ({
    source: null,
    loaded: null,
    requestedAt: null,
    isPlaying: true,
    rate: input.rate,
    sound: input.sound,
    isSilenced: false,
    attempts: 0,
    failure: null,
    retryAfterSeconds: null,
    picture: 'none',
    lastFrameAt: null,
    refusedCodec: null,
    offer: { renditions: [], codec: '' },
    isPlayable: true,
    refused: [],
    box: null,
    isMagnified: false,
    sharedRate: 1,
    chosen: mainOnly,
  }),
  invoke: { id: 'controller', src: 'controller' },
  entry: 'notifyControllerSound',
  initial: 'idle',
  on: {
    'media.loadRequested': { target: '.loading', actions: { type: 'assignSource', params: ({ event }) => event } },
    'media.unloadRequested': { target: '.idle', actions: ['forgetSource', 'unload'] },
    'media.lossReported': { actions: ['assignLastFrame', 'notifyLost', 'markLost'] },
    'media.playRequested': { actions: 'play' },
    'media.pauseRequested': { actions: 'pause' },
    'media.rateChosen': { actions: { type: 'setRate', params: ({ event }) => event } },
    'media.loopChosen': {
      actions: sendTo('controller', ({ event }) => ({ type: 'controller.setLoop', loop: event.loop })),
    },
    'media.volumeChosen': {
      actions: [
        { type: 'setSound', params: ({ event }) => ({ sound: { volume: event.volume, isMuted: event.volume === 0 } }) },
        { type: 'storeSound', params: ({ context }) => context },
      ],
    },
    'media.muteToggled': {
      actions: [
        { type: 'setSound', params: ({ context }) => ({ sound: toggled(context) }) },
        { type: 'storeSound', params: ({ context }) => context },
      ],
    },
    'media.offered': [
      {
        guard: { type: 'canPlay', params: ({ event }) => event.offer },
        actions: { type: 'assignOffer', params: ({ event: { offer } }) => ({ offer, isPlayable: true }) },
      },
      { actions: { type: 'assignOffer', params: ({ event: { offer } }) => ({ offer, isPlayable: false }) } },
    ],
    'media.magnified': { actions: assign({ isMagnified: ({ event }) => event.isMagnified }) },
    'media.sharedRateChanged': { actions: assign({ sharedRate: ({ event }) => event.rate }) },
    'picture.resized': { actions: { type: 'assignPictureBox', params: ({ event }) => event } },
    'engine.silenced': { actions: assign({ isSilenced: true }) },
    'engine.blocked': { actions: 'pause' },
  },
  states: {
    idle: {},
    loading: {
      tags: 'busy',
      entry: [{ type: 'load', params: { type: 'controller.load' } }, 'notifyWaiting'],
      always: { guard: 'isOtherRendition', target: 'loading', reenter: true },
      on: {
        'engine.loaded': { target: 'ready', actions: { type: 'assignLoaded', params: ({ event }) => event } },
        'engine.failed': failed(),
      },
    },
    switching: {
      tags: 'busy',
      entry: { type: 'load', params: { type: 'controller.change' } },
      always: { guard: 'isOtherRendition', target: 'switching', reenter: true },
      on: {
        'engine.loaded': { target: 'ready', actions: { type: 'assignLoaded', params: ({ event }) => event } },
        'engine.failed': failed(),
      },
    },
    ready: {
      entry: 'notifySettled',
      initial: 'resting',
      always: { guard: 'isOtherRendition', target: 'switching' },
      on: {
        'media.loadRequested': [
          {
            guard: { type: 'isLoaded', params: ({ event }) => event },
            actions: {
              type: 'seek',
              params: ({ context, event }) => ({ at: startOf(event.source, context.rate) ?? 0 }),
            },
          },
          {
            guard: { type: 'isLiveAlready', params: ({ event }) => event },
            actions: [{ type: 'setRate', params: { rate: 1 } }, 'play'],
          },
          { target: 'loading', actions: { type: 'assignSource', params: ({ event }) => event } },
        ],
        'media.stepRequested': {
          actions: [
            assign({ isPlaying: false }),
            sendTo('controller', ({ event }) => ({ type: 'controller.step', direction: event.direction })),
          ],
        },
        'engine.sought': { actions: assign({ requestedAt: null }) },
        'engine.failed': failed(),
        'engine.windowMoved': [
          {
            guard: 'isLive',
            actions: [
              { type: 'assignWindow', params: ({ event }) => event },
              { type: 'notifyWindow', params: ({ event }) => event },
            ],
          },
          { actions: { type: 'assignWindow', params: ({ event }) => event } },
        ],
        'engine.loopEnded': { actions: 'notifyLoopEnded' },
        'engine.startReached': { actions: { type: 'notifyStartReached', params: ({ event }) => event } },
        'engine.edgeReached': { actions: { type: 'setRate', params: { rate: 1 } } },
        'engine.ended': [
          {
            guard: 'isLive',
            target: 'interrupted',
            actions: { type: 'assignFailure', params: { failure: 'stalled', at: null } },
          },
          { target: '.resting', actions: { type: 'notifyEnded', params: ({ event }) => event } },
        ],
      },
      states: {
        resting: {
          on: {
            // The picture may have been lost before it was paused.
            'engine.played': { target: 'running', actions: 'markRecovered' },
            'engine.stalled': 'running.stalled',
          },
        },
        running: {
          entry: 'notifyRunning',
          exit: 'notifyResting',
          initial: 'playing',
          on: { 'engine.paused': 'resting' },
          states: {
            playing: { on: { 'engine.stalled': 'stalled' }, after: { settledAfter: { actions: 'forgetAttempts' } } },
            stalled: {
              tags: 'busy',
              after: { lossAfter: { actions: ['notifyLost', 'markLost'] } },
              on: {
                'engine.played': { target: 'playing', actions: 'markRecovered' },
                // Loading takes the last frame off the screen.
                'media.retried': {
                  guard: 'isLive',
                  target: '#media.loading',
                  actions: ['assignLastFrame', 'forgetAttempts'],
                },
              },
            },
          },
        },
      },
    },
    interrupted: {
      tags: 'error',
      entry: ['unload', 'notifyLost', 'markLost', 'notifyWaiting'],
      after: { retryPause: 'loading' },
      on: {
        'media.retried': { target: 'loading', actions: 'forgetAttempts' },
        'media.playRequested': { target: 'loading', actions: assign({ isPlaying: true, attempts: 0 }) },
      },
    },
    unplayable: {
      tags: 'error',
      entry: ['unload', 'notifySettled'],
      always: [
        { guard: 'isOtherRendition', target: 'loading' },
        { guard: 'isMainPlayable', target: 'loading' },
      ],
      on: { 'media.retried': 'loading' },
    },
    forbidden: { tags: 'error', entry: ['unload', 'notifySettled'], on: { 'media.retried': 'loading' } },
  },
})
