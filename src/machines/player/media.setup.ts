import { assign, enqueueActions, fromCallback, sendParent, sendTo, setup } from 'xstate'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import type { Source } from '../../api/media/controller/media-controller.ts'
import type { Rendition } from '../../api/contract/archive.ts'
import type { PictureBox } from '../../api/media/controller/picture-box.ts'
import type { MediaEvent, MediaInput, Sound, ControllerCommand } from './media.events.ts'
import { retryPauseMs } from './media.failure.ts'
import { asked, type Offer, renditionFor, type RenditionChoice } from './rendition.ts'

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
  /** Before the next attempt, where the server asked for it. */
  retryAfterSeconds: number | null
  /** Whether this source has been on the screen, and was lost since. */
  picture: 'none' | 'shown' | 'lost'
  /** The moment of the last frame before it was lost, epoch milliseconds, once no frame is on the screen any more. */
  lastFrameAt: number | null
  /** What the browser can't decode of it, by its usual name. */
  refusedCodec: string | null
  offer: Offer
  /** Whether the browser plays the main rendition, by its codec. */
  isPlayable: boolean
  /** What it was found to play not. */
  refused: readonly Rendition[]
  box: PictureBox | null
  isMagnified: boolean
  /** The rate of the clock that several pictures share. */
  sharedRate: number
  /** The rendition that was loaded last. */
  chosen: RenditionChoice
}

type Failure = {
  failure: MediaFailure
  at: number | null
  codec?: string | null
  retryAfterSeconds?: number | null
}

/** What should be played of a source of that kind. */
export const choiceIn = (context: MediaContext, source: Source): RenditionChoice =>
  renditionFor({
    ...context,
    offered: context.offer.renditions,
    refused: context.isPlayable ? context.refused : ['main', ...context.refused],
    kind: source.kind,
    rate: Math.max(context.rate, context.sharedRate),
    before: context.chosen,
  })

const refusing = ({ context }: { context: MediaContext }) => ({
  refused: [...new Set([...context.refused, context.chosen.rendition])],
})

/** A live picture that was on the screen: the archive is loaded again where it stopped. */
const isLosing = ({ picture, source }: MediaContext): boolean => picture === 'shown' && source?.kind === 'live'

/** The moment that a source starts at; null for live. */
export const startOf = (source: Source): number | null => (source.kind === 'archive' ? source.from : null)

/** What the media machine does; media.machine.ts has the states. */
export const mediaSetup = setup({
  types: { context: {} as MediaContext, events: {} as MediaEvent, input: {} as MediaInput },
  actors: { controller: fromCallback<ControllerCommand>(() => undefined) },
  actions: {
    assignSource: assign(({ context }, { source }: { source: Source }) => ({
      source,
      requestedAt: startOf(source),
      loaded: null,
      failure: null,
      picture: 'none' as const,
      lastFrameAt: null,
      // What is recorded may have other codecs than live.
      ...(source.kind === context.source?.kind && context.refused.length > 0
        ? {}
        : { refused: [], refusedCodec: null }),
      attempts: 0,
      rate: source.kind === 'live' ? 1 : context.rate,
    })),
    load: enqueueActions(({ context, enqueue }, { type }: { type: 'controller.load' | 'controller.change' }) => {
      const { source, isPlaying, rate } = context
      if (source === null) return
      const chosen = choiceIn(context, source)
      enqueue.assign({ chosen })
      enqueue.sendTo('controller', { type, source: asked(source, chosen), isPlaying, rate })
    }),
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
    notifyControllerSound: sendTo('controller', ({ context }) => ({ type: 'controller.setSound', ...context.sound })),
    keepSound: (_, _params: { sound: Sound }) => undefined,
    assignLoaded: assign((_, { from, to }: { from: number; to: number }) => ({
      loaded: { from, to },
      requestedAt: null,
      failure: null,
      picture: 'shown' as const,
      lastFrameAt: null,
    })),
    recover: assign({ picture: 'shown', lastFrameAt: null }),
    lose: assign(({ context }) => (isLosing(context) ? { picture: 'lost' as const } : {})),
    /** What is loaded of live ends about where its picture does. */
    keepLastFrame: assign(({ context: { lastFrameAt, loaded } }) => ({
      lastFrameAt: lastFrameAt ?? loaded?.to ?? null,
    })),
    assignWindow: assign((_, { from, to }: { from: number; to: number }) => ({ loaded: { from, to } })),
    assignFailure: assign(({ context }, { failure, at, codec, retryAfterSeconds }: Failure) => {
      const resumed = at ?? context.requestedAt
      return {
        failure,
        refusedCodec: codec ?? null,
        retryAfterSeconds: retryAfterSeconds ?? null,
        attempts: context.attempts + 1,
        loaded: null,
        lastFrameAt: at ?? context.lastFrameAt,
        source:
          context.source?.kind === 'archive' && resumed !== null
            ? { ...context.source, from: resumed }
            : context.source,
        requestedAt: context.source?.kind === 'archive' ? resumed : null,
      }
    }),
    refuse: assign(refusing),
    assignOffer: assign(({ context }, { offer, isPlayable }: { offer: Offer; isPlayable: boolean }) => ({
      offer,
      isPlayable,
      refused: offer.codec === context.offer.codec ? context.refused : [],
    })),
    assignBox: assign((_, { width, viewportWidth, isFull }: PictureBox) => ({ box: { width, viewportWidth, isFull } })),
    forget: assign({ source: null, loaded: null, requestedAt: null, failure: null, attempts: 0 }),
    forgetAttempts: assign({ attempts: 0 }),
    notifyRunning: sendParent(({ context }) => ({ type: 'media.running', kind: context.source?.kind ?? 'live' })),
    notifyResting: sendParent({ type: 'media.resting' }),
    /** Before it counts as lost. */
    notifyLost: enqueueActions(({ context, enqueue }) => {
      if (isLosing(context)) enqueue(sendParent({ type: 'media.lost' }))
    }),
    notifyEnded: sendParent((_, { at }: { at: number }) => ({ type: 'media.ended', at })),
    notifyWindow: sendParent((_, { from, to }: { from: number; to: number }) => ({
      type: 'media.windowMoved',
      from,
      to,
    })),
    notifyLoopEnded: sendParent({ type: 'media.loopEnded' }),
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
    canPlay: (_, _params: { codec: string }): boolean => true,
    /** A live picture at rest keeps its frame, which another rendition may not hold any more. */
    isOtherChosen: ({ context }) =>
      context.source !== null &&
      (context.isPlaying || context.source.kind === 'archive') &&
      choiceIn(context, context.source).rendition !== context.chosen.rendition,
    isPlayableOtherwise: ({ context }, { failure }: { failure: MediaFailure }) =>
      failure === 'codec' &&
      context.source !== null &&
      choiceIn({ ...context, ...refusing({ context }) }, context.source).rendition !== context.chosen.rendition,
    isUnplayable: (_, { failure }: { failure: MediaFailure }) => failure === 'codec',
    isRefused: (_, { failure }: { failure: MediaFailure }) => failure === 'forbidden',
  },
  delays: {
    retryPause: ({ context }) => retryPauseMs(context.attempts, context.retryAfterSeconds),
    settledAfter: 10_000,
    lossAfter: 1500,
  },
})
