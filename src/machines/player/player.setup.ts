import type { TimeRange } from '../../api/contract/time-range.ts'
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { Clip } from '../clips/clips.events.ts'
import { raiseToast } from '../notifications/toast.ts'
import { canViewArchive, isStreamAvailable } from '../stream/stream.selectors.ts'
import type { Interval } from '../timeline/intervals.ts'
import type { AddressChange, PlayerAddress } from './address.ts'
import type { MediaEvent } from './media.events.ts'
import { playerActors } from './player.actors.ts'
import type { Panel, PlayerContext, PlayerEvent, PlayerInput } from './player.events.ts'
import { isIn, isPlayedWhole, liveWindowMs, rangeBack, rangeFrom } from './playlist-range.ts'
import { offerOf } from './rendition.ts'
import { canGoLive, isLiveNext, timelineEnd } from './shared-range.ts'
import { zoneFor, type ZoneChoice } from './zones.ts'

/** Backward playback this close to the start of the loop has reached it. */
const loopStartToleranceMs = 50

const loopOf = ({ selection, isLooping }: PlayerAddress): TimeRange | null => (isLooping ? selection : null)

export const playerSetup = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as PlayerEvent,
    input: {} as PlayerInput,
    children: {} as {
      media: 'media'
      timeline: 'timeline'
      selection: 'selection'
      clip: 'clip'
      bookmark: 'bookmark'
      waitingPicture: 'waitingPicture'
      clock: 'clock'
      screen: 'screen'
      takeSnapshot: 'takeSnapshot'
    },
  },
  actors: playerActors,
  actions: {
    assignStream: assign((_, { stream }: { stream: Stream }) => ({ stream })),
    notifyOffer: enqueueActions(({ context: { stream }, enqueue }) => {
      if (stream !== null) enqueue.sendTo('media', { type: 'media.offered', offer: offerOf(stream) })
    }),
    /** Lets the media retry at once when the stream runs again. Comes before `assignStream`. */
    retryWhenBack: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (stream.status === 'running' && context.stream !== null && context.stream.status !== 'running') {
        enqueue.sendTo('media', { type: 'media.retried' })
      }
    }),
    /** Chooses the range that plays from `at` on (docs/behaviour.md §7). A moment outside the loop ends the loop. */
    assignRangeFrom: assign(
      ({ context: { limits, now, address } }, { at, fragment }: { at: number; fragment: Pick<Interval, 'to'> }) => ({
        range: rangeFrom(at, fragment, { playlistMaxSeconds: limits.playlistMaxSeconds, now }),
        address: { ...address, at, isLooping: address.isLooping && isIn(address.selection, at) },
      }),
    ),
    forgetArchive: assign(({ context: { address } }) => ({
      range: null,
      address: { ...address, at: null, speed: 1, isLooping: false },
    })),
    loadLive: sendTo('media', ({ context }): MediaEvent => ({
      type: 'media.loadRequested',
      source: { kind: 'live', uid: context.uid },
    })),
    loadArchive: enqueueActions(({ context: { range, uid }, enqueue }) => {
      if (range !== null)
        enqueue.sendTo('media', { type: 'media.loadRequested', source: { kind: 'archive', uid, ...range } })
    }),
    unload: sendTo('media', { type: 'media.unloadRequested' }),
    /** The media isn't asked for anything before the stream is known. */
    awaitFirstPicture: enqueueActions(({ context: { stream }, enqueue }) => {
      if (stream === null) enqueue.sendTo('waitingPicture', { type: 'picture.awaited', at: null })
    }),
    cancelPicture: sendTo('waitingPicture', { type: 'picture.cancelled' }),
    play: sendTo('media', { type: 'media.playRequested' }),
    pause: sendTo('media', { type: 'media.pauseRequested' }),
    assignSpeed: assign(({ context: { address } }, { rate }: { rate: number }) => ({
      address: { ...address, speed: address.at === null ? 1 : rate },
    })),
    /** The timeline asks again once the user has the right to the archive. Comes before `assignStream`. */
    notifyPermitted: enqueueActions(({ context: { stream: before }, enqueue }, { stream }: { stream: Stream }) => {
      if (before !== null && !canViewArchive(before) && canViewArchive(stream))
        enqueue.sendTo('timeline', { type: 'timeline.permitted' })
    }),
    playBackwards: enqueueActions(({ enqueue }, { rate }: { rate: number }) => {
      enqueue.assign({ reverse: rate })
      enqueue.sendTo('media', { type: 'media.rateChosen', rate })
      enqueue.sendTo('media', { type: 'media.playRequested' })
    }),
    /** Sets the forward speed again; whether it plays doesn't change. */
    endReverse: enqueueActions(({ context: { address }, enqueue }) => {
      enqueue.assign({ reverse: null })
      enqueue.sendTo('media', { type: 'media.rateChosen', rate: address.speed })
    }),
    askWhatPrecedes: sendTo('timeline', ({ context: { endedAt } }) => ({
      type: 'timeline.previousRequested' as const,
      before: endedAt,
      isPartial: true,
    })),
    /** Chooses the range that plays the preceding fragment backwards, from the moment that playback has reached. */
    assignRangeBack: assign(({ context: { limits, endedAt } }, { preceding }: { preceding: Interval | null }) => ({
      range: preceding === null ? null : rangeBack(Math.min(endedAt, preceding.to), preceding, limits),
    })),
    step: sendTo('media', (_, { direction }: { direction: 1 | -1 }): MediaEvent => ({
      type: 'media.stepRequested',
      direction,
    })),
    assignSpan: assign(({ context: { address } }, { span }: { span: number | null }) => ({
      address: { ...address, span },
    })),
    assignEnd: assign(({ context: { range } }, { at, to = range?.to ?? at }: { at: number; to?: number }) => ({
      endedAt: at,
      range: range === null ? null : { ...range, to },
    })),
    askWhatFollows: sendTo('timeline', ({ context: { range, endedAt } }) =>
      range !== null && isPlayedWhole(range, endedAt)
        ? { type: 'timeline.pickRequested', at: Math.max(endedAt, range.to) }
        : { type: 'timeline.nextRequested', after: endedAt },
    ),
    pick: sendTo('timeline', (_, { at }: { at: number }) => ({ type: 'timeline.pickRequested' as const, at })),
    /** A late answer would lead away from live. */
    cancelSearch: sendTo('timeline', { type: 'timeline.searchCancelled' }),
    toggleLoop: assign(({ context: { address } }) => ({ address: { ...address, isLooping: !address.isLooping } })),
    assignSelection: assign(({ context: { address } }, { selection }: { selection: TimeRange | null }) => ({
      address: { ...address, selection, isLooping: address.isLooping && selection !== null },
    })),
    notifyLoop: sendTo('media', ({ context }): MediaEvent => ({
      type: 'media.loopChosen',
      loop: loopOf(context.address),
    })),
    /** Goes to the start of the loop if the playhead is outside of it, unless the address requested a moment. */
    enterLoop: enqueueActions(({ context: { address, playhead, isFollowing }, enqueue }) => {
      const loop = loopOf(address)
      if (loop === null || isFollowing || (address.at !== null && isIn(loop, playhead ?? address.at))) return
      enqueue.sendTo('timeline', { type: 'timeline.pickRequested', at: loop.from })
    }),
    /** The user goes nowhere, so that arriving adds no history entry. */
    repeatLoop: enqueueActions(({ context: { address }, enqueue }) => {
      const loop = loopOf(address)
      if (loop === null) return
      enqueue.assign({ isFollowing: true })
      enqueue.sendTo('timeline', { type: 'timeline.pickRequested', at: loop.from })
    }),
    tick: assign((_, { now, playhead }: { now: number; playhead: number | null }) => ({ now, playhead })),
    advance: assign(({ context: { address } }, { playhead }: { playhead: number | null }) => ({
      address: { ...address, at: playhead ?? address.at },
    })),
    notifyTimeline: enqueueActions(
      ({ context: { now, liveWindow, stream, limits }, enqueue }, { playhead }: { playhead: number | null }) => {
        const end = timelineEnd(stream, now)
        enqueue.sendTo('timeline', {
          type: 'timeline.liveChanged',
          available: isLiveNext(stream, limits),
          windowStart: end - liveWindow,
          now: end,
        })
        enqueue.sendTo('timeline', { type: 'timeline.ticked', now: end, playhead })
      },
    ),
    assignLiveWindow: assign(({ context: { now } }, window: TimeRange) => ({ liveWindow: liveWindowMs(window, now) })),
    /** Adopts all of the address but its moment, to which the `view` region seeks. */
    followAddress: enqueueActions(
      ({ context: { address: before, reverse, stream }, enqueue }, { address }: { address: PlayerAddress }) => {
        const { selection } = address
        const at = address.at === null && !canGoLive(stream) ? before.at : address.at
        enqueue.assign({ address: { ...address, at: before.at }, isFollowing: at !== before.at })
        if (address.speed !== before.speed && reverse === null)
          enqueue.sendTo('media', { type: 'media.rateChosen', rate: address.speed })
        if (selection === null && before.selection !== null) enqueue.sendTo('selection', { type: 'selection.cleared' })
        if (selection !== null && (selection.from !== before.selection?.from || selection.to !== before.selection.to)) {
          enqueue.sendTo('selection', { type: 'selection.spanned', ...selection })
        }
        if (address.isLooping !== before.isLooping)
          enqueue.sendTo('media', { type: 'media.loopChosen', loop: loopOf(address) })
        if (address.span !== before.span || at !== before.at)
          enqueue.sendTo('timeline', { type: 'timeline.shown', at, span: address.span })
      },
    ),
    endFollowing: assign({ isFollowing: false }),
    writeAddress: (_, _params: { address: PlayerAddress; change: AddressChange }) => undefined,
    assignZone: assign(({ context: { zones } }, { choice }: { choice: ZoneChoice }) => ({
      zoneChoice: choice,
      zone: zoneFor(choice, zones),
    })),
    notifyZone: sendTo('timeline', ({ context }) => ({ type: 'timeline.zoneChosen', zone: context.zone })),
    storeZone: (_, _params: { choice: ZoneChoice }) => undefined,
    /** Adds a range of the archive to the downloads, which outlive the player. */
    requestClip: (_, _params: { clip: Clip }) => undefined,
    assignPanelMoment: assign((_, { at }: { at: number | null }) => ({ panelAt: at })),
    notifyBookmarked: enqueueActions(({ enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'bookmarkSaved' })
    }),
    notifyPlaying: sendParent({ type: 'stream.playing' }),
    notifyIdle: sendParent({ type: 'stream.idle' }),
    notifyFailure: enqueueActions(({ enqueue, system }, { code }: { code: string }) => {
      raiseToast({ enqueue, system }, { tone: 'error', code })
    }),
  },
  guards: {
    hasStream: ({ context }) => context.stream !== null,
    isUnavailable: ({ context: { stream, limits } }) => stream !== null && !isStreamAvailable(stream, limits),
    isHalted: ({ context }) => context.stream?.status === 'paused',
    isAvailable: ({ context: { stream, limits } }) => stream !== null && isStreamAvailable(stream, limits),
    isLiveNext: ({ context: { stream, limits } }) => isLiveNext(stream, limits),
    canGoLive: ({ context }) => canGoLive(context.stream),
    isResumed: ({ context }) => context.stream?.status !== 'paused',
    isLiveInterval: (_, { interval }: { interval: Interval | null }) => interval?.type === 'live',
    isFragment: (_, { interval }: { interval: Interval | null }) => interval?.type === 'fragment',
    isCalendar: (_, { panel }: { panel: Panel }) => panel === 'calendar',
    isDownload: (_, { panel }: { panel: Panel }) => panel === 'download',
    canBookmark: ({ context }) => context.bookmarkLocation !== null,
    hasNextFragment: (_, { nextFragment }: { nextFragment: Interval | null }) => nextFragment !== null,
    isArchive: (_, { kind }: { kind: 'live' | 'archive' }) => kind === 'archive',
    startsInArchive: ({ context }) => context.address.at !== null,
    isOtherMoment: ({ context }, { address }: { address: PlayerAddress }) =>
      address.at !== null && address.at !== context.address.at,
    isReturnToLive: ({ context }, { address }: { address: PlayerAddress }) =>
      address.at === null && context.address.at !== null && canGoLive(context.stream),
    /** Neither live nor in the future. */
    isPast: ({ context }, { at, interval }: { at: number; interval: Interval }) =>
      interval.type !== 'live' && at < context.now,
    isAtLoopStart: ({ context: { address } }, { at }: { at: number }) => {
      const loop = loopOf(address)
      return loop !== null && Math.abs(at - loop.from) <= loopStartToleranceMs
    },
    isLooping: ({ context }) => context.address.isLooping,
    hasSelection: ({ context }) => context.address.selection !== null,
    isToFragment: (_, { to }: { to: 'fragment' | 'annotation' }) => to === 'fragment',
    isNothing: (_, { interval }: { interval: Interval | null }) => interval === null,
    isNoAnnotation: (_, { at }: { at: number | null }) => at === null,
    isAnnotationFound: (_, { at }: { at: number | null }) => at !== null,
    /** Whether nothing of the loop follows, so that it starts over; false if its start itself was requested. */
    isBeyondLoop: ({ context: { address } }, { requested, next }: { requested: number; next: Interval | null }) => {
      const loop = loopOf(address)
      if (loop === null || requested === loop.from) return false
      return next?.type !== 'fragment' || Math.max(next.from, requested) >= loop.to
    },
  },
})
