import { assign, enqueueActions, fromCallback, sendParent, sendTo, setup } from 'xstate'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import type { Source } from '../../api/media/controller/media-controller.ts'
import type { MediaEvent, MediaInput, Sound, ControllerCommand } from './media.events.ts'
import { failed, retryPauseMs } from './media.failure.ts'
import { toggled } from './media.sound.ts'

export interface MediaContext {
  source: Source | null
  /** What can be sought in the loaded source. */
  loaded: { from: number; to: number } | null
  /** The moment that was asked for and isn't on the screen yet. */
  requestedAt: number | null
  /** What is wished; whether it is so is the state. */
  isPlaying: boolean
  rate: number
  sound: Sound
  /** The browser lets nothing sound until the page is touched. */
  isSilenced: boolean
  attempts: number
  failure: MediaFailure | null
  /** What the browser can't decode of it, by its usual name. */
  refusedCodec: string | null
}

const startOf = (source: Source): number | null => (source.kind === 'archive' ? source.from : null)

/**
 * The media behind a picture: nothing, a source that is loading, one that is ready and plays, rests or stalls as the
 * engine reports it, or one that was interrupted: then it is unloaded, waited for with growing pauses and loaded again,
 * live at its edge, an archive at the moment where it stopped; live that stalls is loaded at once where its stream is
 * back, which may be of another size or sound than the engine holds. What waiting can't mend (a codec, a missing right)
 * stays until something else is aimed at.
 */
export const mediaMachine = setup({
  types: { context: {} as MediaContext, events: {} as MediaEvent, input: {} as MediaInput },
  actors: { controller: fromCallback<ControllerCommand>(() => undefined) },
  actions: {
    takeSource: assign(({ context }, { source }: { source: Source }) => ({
      source,
      requestedAt: startOf(source),
      loaded: null,
      failure: null,
      refusedCodec: null,
      attempts: 0,
      rate: source.kind === 'live' ? 1 : context.rate,
    })),
    load: sendTo('controller', ({ context }): ControllerCommand =>
      context.source === null
        ? { type: 'controller.unload' }
        : { type: 'controller.load', source: context.source, isPlaying: context.isPlaying, rate: context.rate },
    ),
    unload: sendTo('controller', { type: 'controller.unload' }),
    seek: enqueueActions(({ enqueue }, { at }: { at: number }) => {
      enqueue.assign({ requestedAt: at })
      enqueue.sendTo('controller', { type: 'controller.seek', at })
    }),
    play: enqueueActions(({ enqueue }) => {
      enqueue.assign({ isPlaying: true })
      enqueue.sendTo('controller', { type: 'controller.play' })
    }),
    pause: enqueueActions(({ enqueue }) => {
      enqueue.assign({ isPlaying: false })
      enqueue.sendTo('controller', { type: 'controller.pause' })
    }),
    setRate: enqueueActions(({ enqueue }, { rate }: { rate: number }) => {
      enqueue.assign({ rate })
      enqueue.sendTo('controller', { type: 'controller.setRate', rate })
    }),
    setSound: enqueueActions(({ enqueue }, { sound }: { sound: Sound }) => {
      enqueue.assign({ sound, isSilenced: false })
      enqueue.sendTo('controller', { type: 'controller.setSound', ...sound })
    }),
    tellControllerSound: sendTo('controller', ({ context }) => ({ type: 'controller.setSound', ...context.sound })),
    keepSound: (_, _params: { sound: Sound }) => undefined,
    takeLoaded: assign((_, { from, to }: { from: number; to: number }) => ({
      loaded: { from, to },
      requestedAt: null,
      failure: null,
    })),
    takeWindow: assign((_, { from, to }: { from: number; to: number }) => ({ loaded: { from, to } })),
    takeFailure: assign(
      ({ context }, { failure, at, codec }: { failure: MediaFailure; at: number | null; codec?: string | null }) => {
        const resumed = at ?? context.requestedAt
        return {
          failure,
          refusedCodec: codec ?? null,
          attempts: context.attempts + 1,
          loaded: null,
          source:
            context.source?.kind === 'archive' && resumed !== null
              ? { ...context.source, from: resumed }
              : context.source,
          requestedAt: context.source?.kind === 'archive' ? resumed : null,
        }
      },
    ),
    forget: assign({ source: null, loaded: null, requestedAt: null, failure: null, attempts: 0 }),
    forgetAttempts: assign({ attempts: 0 }),
    tellRunning: sendParent(({ context }) => ({ type: 'media.running', kind: context.source?.kind ?? 'live' })),
    tellResting: sendParent({ type: 'media.resting' }),
    tellEnded: sendParent((_, { at }: { at: number }) => ({ type: 'media.ended', at })),
    tellWindow: sendParent((_, { from, to }: { from: number; to: number }) => ({
      type: 'media.windowMoved',
      from,
      to,
    })),
    tellLoopEnded: sendParent({ type: 'media.loopEnded' }),
  },
  guards: {
    isHeld: ({ context }, { source }: { source: Source }) =>
      source.kind === 'archive' &&
      context.source?.kind === 'archive' &&
      context.loaded !== null &&
      context.loaded.from <= source.from &&
      source.from < context.loaded.to,
    isLiveAgain: ({ context }, { source }: { source: Source }) =>
      source.kind === 'live' && context.source?.kind === 'live',
    isLive: ({ context }) => context.source?.kind === 'live',
    isUnplayable: (_, { failure }: { failure: MediaFailure }) => failure === 'codec',
    isRefused: (_, { failure }: { failure: MediaFailure }) => failure === 'forbidden',
  },
  delays: { retryPause: ({ context }) => retryPauseMs(context.attempts), settledAfter: 10_000 },
}).createMachine({
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
    refusedCodec: null,
  }),
  invoke: { id: 'controller', src: 'controller' },
  entry: 'tellControllerSound',
  initial: 'idle',
  on: {
    'media.loadRequested': { target: '.loading', actions: { type: 'takeSource', params: ({ event }) => event } },
    'media.unloadRequested': { target: '.idle', actions: ['forget', 'unload'] },
    'media.playRequested': { actions: 'play' },
    'media.pauseRequested': { actions: 'pause' },
    'media.rateChosen': { actions: { type: 'setRate', params: ({ event }) => event } },
    'media.loopChosen': {
      actions: sendTo('controller', ({ event }) => ({ type: 'controller.setLoop', loop: event.loop })),
    },
    'media.volumeChosen': {
      actions: [
        { type: 'setSound', params: ({ event }) => ({ sound: { volume: event.volume, isMuted: event.volume === 0 } }) },
        { type: 'keepSound', params: ({ context }) => context },
      ],
    },
    'media.muteToggled': {
      actions: [
        { type: 'setSound', params: ({ context }) => ({ sound: toggled(context) }) },
        { type: 'keepSound', params: ({ context }) => context },
      ],
    },
    'engine.silenced': { actions: assign({ isSilenced: true }) },
    'engine.blocked': { actions: 'pause' },
  },
  states: {
    idle: {},
    loading: {
      tags: 'busy',
      entry: 'load',
      on: {
        'engine.loaded': { target: 'ready', actions: { type: 'takeLoaded', params: ({ event }) => event } },
        'engine.failed': failed(),
      },
    },
    ready: {
      initial: 'resting',
      on: {
        'media.loadRequested': [
          {
            guard: { type: 'isHeld', params: ({ event }) => event },
            actions: { type: 'seek', params: ({ event }) => ({ at: startOf(event.source) ?? 0 }) },
          },
          { guard: { type: 'isLiveAgain', params: ({ event }) => event }, actions: 'play' },
          { target: 'loading', actions: { type: 'takeSource', params: ({ event }) => event } },
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
              { type: 'takeWindow', params: ({ event }) => event },
              { type: 'tellWindow', params: ({ event }) => event },
            ],
          },
          { actions: { type: 'takeWindow', params: ({ event }) => event } },
        ],
        'engine.loopEnded': { actions: 'tellLoopEnded' },
        'engine.edgeReached': { actions: { type: 'setRate', params: { rate: 1 } } },
        'engine.ended': [
          {
            guard: 'isLive',
            target: 'interrupted',
            actions: { type: 'takeFailure', params: { failure: 'stalled', at: null } },
          },
          { target: '.resting', actions: { type: 'tellEnded', params: ({ event }) => event } },
        ],
      },
      states: {
        resting: { on: { 'engine.played': 'running', 'engine.stalled': 'running.stalled' } },
        running: {
          entry: 'tellRunning',
          exit: 'tellResting',
          initial: 'playing',
          on: { 'engine.paused': 'resting' },
          states: {
            playing: { on: { 'engine.stalled': 'stalled' }, after: { settledAfter: { actions: 'forgetAttempts' } } },
            stalled: {
              tags: 'busy',
              on: {
                'engine.played': 'playing',
                'media.retried': { guard: 'isLive', target: '#media.loading', actions: 'forgetAttempts' },
              },
            },
          },
        },
      },
    },
    interrupted: {
      tags: 'error',
      entry: 'unload',
      after: { retryPause: 'loading' },
      on: {
        'media.retried': { target: 'loading', actions: 'forgetAttempts' },
        'media.playRequested': { target: 'loading', actions: assign({ isPlaying: true, attempts: 0 }) },
      },
    },
    unplayable: { tags: 'error', entry: 'unload', on: { 'media.retried': 'loading' } },
    refused: { tags: 'error', entry: 'unload', on: { 'media.retried': 'loading' } },
  },
})
