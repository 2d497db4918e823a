import { assign, enqueueActions, fromCallback, sendParent, sendTo, setup } from 'xstate'
import type { MediaFailure } from '../../api/media/engine/failure.ts'
import type { Source } from '../../api/media/controller/media-controller.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Rendition } from '../../api/contract/archive.ts'
import type { PictureBox } from '../../api/media/controller/picture-box.ts'
import type { MediaEvent, MediaInput, Sound, ControllerCommand } from './media.events.ts'
import { retryPauseMs } from './media.failure.ts'
import { type Offer, renditionFor, type RenditionChoice, sourceFor } from './rendition.ts'

export interface MediaContext {
  source: Source | null
  /** The range of the loaded source in which the player can seek. */
  loaded: TimeRange | null
  /** The moment to show, until it is on the screen. */
  requestedAt: number | null
  /** Whether the media is to play; the state says whether it does. */
  isPlaying: boolean
  /** Negative: the archive plays backwards. */
  rate: number
  sound: Sound
  /** Whether the browser mutes the page until the user interacts with it. */
  isSilenced: boolean
  /** Failures in a row since the source last played well. */
  attempts: number
  failure: MediaFailure | null
  /** The `retry-after` of the server with the last failure. */
  retryAfterSeconds: number | null
  /** Whether a frame of this source has been on the screen, and whether the picture was lost since. */
  picture: 'none' | 'shown' | 'lost'
  /** The moment of the last frame, once no frame is on the screen any more. */
  lastFrameAt: number | null
  /** The codec that the browser can't decode, by its common name. */
  refusedCodec: string | null
  offer: Offer
  /** Whether the browser can decode the main rendition. */
  isPlayable: boolean
  /** Renditions that the browser failed to decode. */
  refused: readonly Rendition[]
  /** The size of the picture on the screen; null until it has been laid out. */
  box: PictureBox | null
  /** Whether the picture is digitally zoomed. */
  isMagnified: boolean
  /** The rate of the shared clock, in synchronized playback; else 1. */
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

/** The rate at which the picture plays, by itself or with the shared clock; only one of them differs from 1. */
const effectiveRate = ({ rate, sharedRate }: MediaContext): number =>
  Math.min(rate, sharedRate) < 0 ? Math.min(rate, sharedRate) : Math.max(rate, sharedRate)

/** The rendition in which to play a source. */
export const choiceIn = (context: MediaContext, source: Source): RenditionChoice =>
  renditionFor({
    ...context,
    offered: context.offer.renditions,
    refused: context.isPlayable ? context.refused : ['main', ...context.refused],
    kind: source.kind,
    rate: effectiveRate(context),
    before: context.chosen,
  })

/** Adds the loaded rendition to those that the browser failed to decode. */
const withLoadedRefused = ({ context }: { context: MediaContext }) => ({
  refused: [...new Set([...context.refused, context.chosen.rendition])],
})

/** Whether there is a picture that can be lost: only a live one, as an archive is loaded again where it stopped. */
const canLosePicture = ({ picture, source }: MediaContext): boolean => picture === 'shown' && source?.kind === 'live'

/** The moment that a source starts at: backwards its end; null for live. */
export const startOf = (source: Source, rate: number): number | null => {
  if (source.kind === 'live') return null
  return rate < 0 ? source.to : source.from
}

/** The rest of a source to play from a moment: after it or, backwards, before it, which is at least a second. */
const resumedAt = (source: Source & { kind: 'archive' }, at: number, rate: number): Source =>
  rate < 0 ? { ...source, to: Math.max(at, source.from + 1000) } : { ...source, from: at }

/** Types, actors, actions and guards of media.machine.ts. */
export const mediaSetup = setup({
  types: { context: {} as MediaContext, events: {} as MediaEvent, input: {} as MediaInput },
  actors: { controller: fromCallback<ControllerCommand>(() => undefined) },
  actions: {
    assignSource: assign(({ context }, { source }: { source: Source }) => {
      const { isPlayable, offer, refused } = context
      // The archive may have other codecs than live, and several if it was refused though live is playable.
      const hasSeveral = source.kind === 'archive' && isPlayable && offer.codec !== ''
      const keepsRefused = source.kind === context.source?.kind && !hasSeveral && refused.length > 0
      return {
        source,
        requestedAt: startOf(source, context.rate),
        loaded: null,
        failure: null,
        picture: 'none' as const,
        lastFrameAt: null,
        refused: keepsRefused ? refused : [],
        refusedCodec: keepsRefused ? context.refusedCodec : null,
        attempts: 0,
        rate: source.kind === 'live' ? 1 : context.rate,
      }
    }),
    load: enqueueActions(({ context, enqueue }, { type }: { type: 'controller.load' | 'controller.change' }) => {
      const { source, isPlaying, rate } = context
      if (source === null) return
      const chosen = choiceIn(context, source)
      enqueue.assign({ chosen })
      enqueue.sendTo('controller', { type, source: sourceFor(source, chosen), isPlaying, rate })
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
    storeSound: (_, _params: { sound: Sound }) => undefined,
    assignLoaded: assign((_, { from, to }: { from: number; to: number }) => ({
      loaded: { from, to },
      requestedAt: null,
      failure: null,
      picture: 'shown' as const,
      lastFrameAt: null,
    })),
    markRecovered: assign({ picture: 'shown', lastFrameAt: null }),
    markLost: assign(({ context }) => (canLosePicture(context) ? { picture: 'lost' as const } : {})),
    /** The picture was live, so its last frame is near the end of the loaded range. */
    assignLastFrame: assign(({ context: { lastFrameAt, loaded } }) => ({
      lastFrameAt: lastFrameAt ?? loaded?.to ?? null,
    })),
    assignWindow: assign((_, { from, to }: { from: number; to: number }) => ({ loaded: { from, to } })),
    assignFailure: assign(({ context }, { failure, at, codec, retryAfterSeconds }: Failure) => {
      const resumeAt = at ?? context.requestedAt
      return {
        failure,
        refusedCodec: codec ?? null,
        retryAfterSeconds: retryAfterSeconds ?? null,
        attempts: context.attempts + 1,
        loaded: null,
        lastFrameAt: at ?? context.lastFrameAt,
        source:
          context.source?.kind === 'archive' && resumeAt !== null
            ? resumedAt(context.source, resumeAt, context.rate)
            : context.source,
        requestedAt: context.source?.kind === 'archive' ? resumeAt : null,
      }
    }),
    markRenditionRefused: assign(withLoadedRefused),
    assignOffer: assign(({ context }, { offer, isPlayable }: { offer: Offer; isPlayable: boolean }) => ({
      offer,
      isPlayable,
      refused: offer.codec === context.offer.codec ? context.refused : [],
    })),
    assignPictureBox: assign((_, { width, viewportWidth, isFull }: PictureBox) => ({
      box: { width, viewportWidth, isFull },
    })),
    forgetSource: assign({ source: null, loaded: null, requestedAt: null, failure: null, attempts: 0, rate: 1 }),
    forgetAttempts: assign({ attempts: 0 }),
    notifyRunning: sendParent(({ context }) => ({ type: 'media.running', kind: context.source?.kind ?? 'live' })),
    notifyResting: sendParent({ type: 'media.resting' }),
    notifyWaiting: sendParent(({ context }) => ({ type: 'media.waiting', at: context.requestedAt })),
    notifySettled: sendParent({ type: 'media.settled' }),
    /** Comes before `markLost`, after which the picture can't be lost again. */
    notifyLost: enqueueActions(({ context, enqueue }) => {
      if (canLosePicture(context)) enqueue(sendParent({ type: 'media.lost' }))
    }),
    notifyEnded: sendParent(({ context: { source } }, { at }: { at: number }) => ({
      type: 'media.ended',
      at,
      to: source?.kind === 'archive' ? source.to : at,
    })),
    notifyWindow: sendParent((_, { from, to }: { from: number; to: number }) => ({
      type: 'media.windowMoved',
      from,
      to,
    })),
    notifyLoopEnded: sendParent({ type: 'media.loopEnded' }),
    notifyStartReached: sendParent((_, { at }: { at: number }) => ({ type: 'media.startReached', at })),
  },
  guards: {
    /** Whether the loaded archive contains the moment at which the source starts. */
    isLoaded: ({ context }, { source }: { source: Source }) =>
      source.kind === 'archive' &&
      context.source?.kind === 'archive' &&
      context.loaded !== null &&
      context.loaded.from <= source.from &&
      (context.rate < 0 ? source.to <= context.loaded.to : source.from < context.loaded.to),
    isLiveAlready: ({ context }, { source }: { source: Source }) =>
      source.kind === 'live' && context.source?.kind === 'live',
    isLive: ({ context }) => context.source?.kind === 'live',
    /** Whether the browser can decode a codec; provided by the wiring. */
    canPlay: (_, _params: { codec: string }): boolean => true,
    /**
     * Whether another rendition is to be loaded. A paused live picture keeps its own, as the frame on the screen may
     * have left the live window of the other.
     */
    isOtherRendition: ({ context }) =>
      context.source !== null &&
      (context.isPlaying || context.source.kind === 'archive') &&
      choiceIn(context, context.source).rendition !== context.chosen.rendition,
    /**
     * Whether the main rendition can be tried: the stream has another codec since it was refused. A stream that doesn't
     * run has none.
     */
    isMainPlayable: ({ context: { isPlayable, offer, refused } }) =>
      isPlayable && offer.codec !== '' && !refused.includes('main'),
    /** Whether another rendition can replace the loaded one, which the browser can't decode. */
    hasOtherRendition: ({ context }, { failure }: { failure: MediaFailure }) =>
      failure === 'codec' &&
      context.source !== null &&
      choiceIn({ ...context, ...withLoadedRefused({ context }) }, context.source).rendition !==
        context.chosen.rendition,
    isUnplayable: (_, { failure }: { failure: MediaFailure }) => failure === 'codec',
    isForbidden: (_, { failure }: { failure: MediaFailure }) => failure === 'forbidden',
  },
  delays: {
    retryPause: ({ context }) => retryPauseMs(context.attempts, context.retryAfterSeconds),
    settledAfter: 10_000,
    lossAfter: 1500,
  },
})
