import { assign, enqueueActions, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { notProvided } from '../not-provided.ts'
import type { AddressChange, PlayerAddress } from '../player/address.ts'
import { type InOutMarks, markedRange, type MarkEvent, marksAfter, noMarks } from '../player/in-out-marks.ts'
import { periodAfter } from '../timeline/timeline.context.ts'
import { lengthOf, periodShowing } from '../timeline/timeline-geometry.ts'
import type {
  SyncPlaybackEvent,
  SyncPlaybackInput,
  ReadinessBarrierInput,
  ReverseRoundsCommand,
  SharedClockCommand,
  PeriodMove,
  TileSlot,
} from './sync-playback.events.ts'
import { isLiveMoment, isOtherMoment, archiveMoment, stepped } from './sync-moments.ts'
import type { TrackEvent } from './track.events.ts'
import { trackMachine, type TrackRef } from './track.machine.ts'

export interface SyncPlaybackContext {
  limits: SyncPlaybackInput['limits']
  slots: readonly TileSlot[]
  tracks: Readonly<Record<string, TrackRef>>
  zone: string
  /** The period that the timeline shows. */
  period: TimeRange
  /** The width of the timeline in px. */
  width: number
  now: number
  /** The moment of the shared clock; null while all tiles are live. */
  at: number | null
  /** The rate of forward playback. */
  rate: number
  /** The negative rate of backward playback; null while the tiles play forwards or are paused. */
  reverse: number | null
  /** The first recorded moment of all cameras, at which backward playback ends; null until it is known. */
  archiveStart: number | null
  /** Whether to play once all tracks are ready. */
  isPlaying: boolean
  marks: InOutMarks
}

/** The rate at which the tiles play. */
export const rateOf = ({ rate, reverse }: SyncPlaybackContext): number => reverse ?? rate

export const syncPlaybackSetup = setup({
  types: {
    context: {} as SyncPlaybackContext,
    events: {} as SyncPlaybackEvent,
    input: {} as SyncPlaybackInput,
    children: {} as {
      sharedClock: 'sharedClock'
      readinessBarrier: 'readinessBarrier'
      reverseRounds: 'reverseRounds'
      readArchiveStart: 'readArchiveStart'
    },
  },
  actors: {
    track: trackMachine,
    sharedClock: fromCallback<SharedClockCommand>(() => undefined),
    readinessBarrier: fromPromise<void, ReadinessBarrierInput>(notProvided),
    reverseRounds: fromCallback<ReverseRoundsCommand, ReadinessBarrierInput>(() => undefined),
    /** The first recorded moment of several streams; null if it isn't known. */
    readArchiveStart: fromPromise<number | null, { readonly uids: readonly string[] }>(notProvided),
    visibility: fromCallback(() => undefined),
  },
  actions: {
    /** Stops the tracks of tiles that left the mosaic, and starts those of new tiles. */
    updateTracks: enqueueActions(({ context, enqueue }, { slots }: { slots: readonly TileSlot[] }) => {
      const keys = new Set(slots.map(({ key }) => key))
      for (const [key, track] of Object.entries(context.tracks)) if (!keys.has(key)) enqueue.stopChild(track)
      enqueue.assign({
        slots,
        tracks: ({ context: { tracks, limits, now }, spawn }) =>
          Object.fromEntries(
            slots.map(({ key, ...slot }) => [
              key,
              tracks[key] ?? spawn('track', { id: key, input: { ...slot, ...limits, now } }),
            ]),
          ),
      })
    }),
    notifySlots: enqueueActions(({ context: { tracks, slots }, enqueue }) => {
      for (const { key, isAvailable, isLost, isPermitted, isSeen } of slots) {
        const track = tracks[key]
        if (track === undefined) continue
        enqueue.sendTo(track, { type: 'track.availabilityChanged', isAvailable, isLost })
        if (isPermitted) enqueue.sendTo(track, { type: 'track.permitted' })
        enqueue.sendTo(track, { type: isSeen ? 'track.woken' : 'track.rested' })
      }
    }),
    notifyTracks: enqueueActions(({ context: { tracks }, enqueue }, event: TrackEvent) => {
      for (const track of Object.values(tracks)) enqueue.sendTo(track, event)
    }),
    notifyTrack: enqueueActions(
      ({ context: { tracks }, enqueue }, { key, event }: { key: string; event: TrackEvent }) => {
        const track = tracks[key]
        if (track !== undefined) enqueue.sendTo(track, event)
      },
    ),
    assignMoment: assign(({ context: { now } }, { at }: { at: number }) => ({ at: archiveMoment(at, now) })),
    assignReverse: assign((_, { rate }: { rate: number }) => ({ reverse: rate })),
    endReverse: assign({ reverse: null }),
    assignArchiveStart: assign((_, { at }: { at: number | null }) => ({ archiveStart: at })),
    goToArchiveStart: assign(({ context: { archiveStart } }) => ({ at: archiveStart })),
    mark: assign(({ context: { marks } }, { event }: { event: MarkEvent }) => ({ marks: marksAfter(marks, event) })),
    /** Takes over both marks or none from the address; a single mark, which the address can't have, stays. */
    adoptMarks: assign(({ context: { marks } }, { address }: { address: PlayerAddress }) => ({
      marks: address.selection ?? (markedRange(marks) === null ? marks : noMarks),
    })),
    returnToLive: assign({ at: null, rate: 1, isPlaying: true }),
    assignRate: assign((_, { rate }: { rate: number }) => ({ rate })),
    setPlaying: assign((_, { isPlaying }: { isPlaying: boolean }) => ({ isPlaying })),
    stepMoment: assign(({ context: { at, now } }, { direction }: { direction: 1 | -1 }) => ({
      at: at === null ? null : stepped(at, direction, now),
    })),
    /** Sets the clock to the requested moment, where it waits for the tiles. */
    setClock: sendTo('sharedClock', ({ context: { at } }) => ({ type: 'sharedClock.set', at, rate: 0 })),
    runClock: sendTo('sharedClock', ({ context: { rate } }) => ({ type: 'sharedClock.set', at: null, rate })),
    stopClock: sendTo('sharedClock', { type: 'sharedClock.set', at: null, rate: 0 }),
    runClockBackwards: sendTo('sharedClock', ({ context }) => ({
      type: 'sharedClock.set',
      at: null,
      rate: rateOf(context),
    })),
    notifyReverseRounds: sendTo('reverseRounds', ({ context: { tracks } }) => ({
      type: 'tracks.changed',
      tracks: Object.values(tracks),
    })),
    movePeriod: assign(({ context: { period, width, now, at } }, { event }: { event: PeriodMove }) => ({
      period: periodAfter({ period, playhead: at, live: { now } }, event),
      width: event.type === 'timeline.resized' ? event.width : width,
    })),
    /** Follows the clock, live (`at`: null) the present; the period moves on when that leaves it. */
    advance: enqueueActions(({ context, enqueue }, { at, now }: { at: number | null; now: number }) => {
      const { tracks, period, width } = context
      const after = periodAfter(
        { period, playhead: context.at ?? context.now, live: { now } },
        { type: 'timeline.ticked', now, playhead: at ?? now },
      )
      enqueue.assign({ at, now, period: after })
      if (after === period) return
      for (const track of Object.values(tracks))
        enqueue.sendTo(track, { type: 'track.periodChosen', period: after, width })
    }),
    /** Moves the period if it doesn't contain the moment, or live the present. */
    revealMoment: assign(({ context: { period, at, now } }) => ({
      period: periodShowing(period, { at, span: lengthOf(period) }, now),
    })),
    writeAddress: (_, _params: { address: PlayerAddress; change: AddressChange }) => undefined,
  },
  guards: {
    isLiveMoment: ({ context: { now } }, { at }: { at: number }) => isLiveMoment(at, now),
    isPlaying: ({ context }) => context.isPlaying,
    startsInArchive: ({ context }) => context.at !== null,
    isArchiveStart: ({ context: { archiveStart } }, { at }: { at: number }) =>
      archiveStart !== null && at <= archiveStart,
    isOtherMoment: ({ context }, { address }: { address: PlayerAddress }) =>
      isOtherMoment(address.at, { at: context.at, rate: Math.abs(rateOf(context)) }),
    isReturnToLive: ({ context }, { address }: { address: PlayerAddress }) =>
      address.at === null && context.at !== null,
  },
  delays: { readinessTimeout: 1000 },
})
