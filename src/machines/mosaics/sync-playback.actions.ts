import { type AddressChange, liveAddress } from '../player/address.ts'
import { type MarkEvent, markedRange } from '../player/in-out-marks.ts'
import { lengthOf } from '../timeline/timeline-geometry.ts'
import type { PeriodMove, TileSlot } from './sync-playback.events.ts'
import { rateOf, type SyncPlaybackContext } from './sync-playback.setup.ts'

/** The period that the timeline of a mosaic shows first, in milliseconds. */
export const defaultSpanMs = 4 * 3600_000

type WithContext = { readonly context: SyncPlaybackContext }

export const notifyPeriod = {
  type: 'notifyTracks' as const,
  params: ({ context: { period, width } }: WithContext) => ({ type: 'track.periodChosen' as const, period, width }),
}

export const notifyMoment = [
  {
    type: 'notifyTracks' as const,
    params: ({ context }: WithContext) => ({
      type: 'track.ticked' as const,
      at: context.at,
      rate: rateOf(context),
      now: context.now,
    }),
  },
] as const

export const movePeriod = [
  { type: 'movePeriod' as const, params: ({ event }: { event: PeriodMove }) => ({ event }) },
  notifyPeriod,
] as const

/** After tiles were added or removed, or changed their availability or visibility. */
export const changeSlots = [
  { type: 'updateTracks' as const, params: ({ event }: { event: { readonly slots: readonly TileSlot[] } }) => event },
  { type: 'notifySlots' as const },
  notifyPeriod,
  ...notifyMoment,
] as const

/** Writes the state of playback into the browser's address. */
export const writeAddress = (change: AddressChange) => ({
  type: 'writeAddress' as const,
  params: ({ context: { at, rate, period, marks } }: WithContext) => {
    const span = lengthOf(period)
    return {
      address: {
        ...liveAddress,
        at,
        speed: at === null ? 1 : rate,
        span: span === defaultSpanMs ? null : span,
        selection: markedRange(marks),
      },
      change,
    }
  },
})

/** The transition that sets or removes an in or out mark. */
export const changeMarks = {
  actions: [
    { type: 'mark' as const, params: ({ event }: { event: MarkEvent }) => ({ event }) },
    writeAddress('changed'),
  ],
} as const
