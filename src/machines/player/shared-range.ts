import type { Stream } from '../../api/contract/stream.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { isStreamAvailable } from '../stream/stream.selectors.ts'
import type { PlayerAddress } from './address.ts'
import type { PlayerLimits } from './player.events.ts'

type SharedRange = TimeRange & { readonly hasLive: boolean }

/**
 * The range of the archive that a share shows (docs/wire.md §6, `share-range`), and whether it shows live; null: the
 * player isn't limited.
 */
export function sharedRangeOf(stream: Stream | null): SharedRange | null {
  if (stream?.sharedRange === undefined || stream.meta.canAdmin) return null
  const { startTime: from, endTime: to, live: hasLive } = stream.sharedRange
  return { from, to, hasLive }
}

export const canGoLive = (stream: Stream | null): boolean => sharedRangeOf(stream)?.hasLive ?? true

/** Whether live playback follows the end of the archive: not after a shared range. */
export const isLiveNext = (stream: Stream | null, limits: PlayerLimits): boolean =>
  stream !== null && sharedRangeOf(stream) === null && isStreamAvailable(stream, limits)

/** The last moment of the timeline: the end of a shared range, else now. */
export const timelineEnd = (stream: Stream | null, now: number): number =>
  Math.min(now, sharedRangeOf(stream)?.to ?? now)

export const hasSameSharedRange = (one: Stream | null, other: Stream | null): boolean =>
  JSON.stringify(sharedRangeOf(one)) === JSON.stringify(sharedRangeOf(other))

/** The address at which a shared range opens: at its moment if that lies within the range, else at the start. */
export function openedWithin(address: PlayerAddress, range: TimeRange | null): PlayerAddress {
  if (range === null || (address.at !== null && range.from <= address.at && address.at < range.to)) return address
  return { ...address, at: range.from }
}
