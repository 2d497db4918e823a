import type { Tracks } from '../media/encoding.ts'
import { monotonicNow } from '../monotonic.ts'

/** While a source sends no announced sound, each attempt to record it may cost ten seconds of pictures. */
const retryAfterMs = 30 * 60_000

/** When sound that didn't come, or couldn't be decoded, is tried again: after half an hour, by the next connection. */
export const createSoundRetries = (now = monotonicNow) => {
  let unusableSince: number | undefined
  return {
    /** Registers the tracks that a connection records. */
    note: ({ sound }: Tracks): void => {
      unusableSince = sound === 'unusable' ? (unusableSince ?? now()) : undefined
    },
    /** The tracks that the next connection should record. */
    forNext: (tracks: Tracks): Tracks =>
      unusableSince === undefined || now() - unusableSince < retryAfterMs ? tracks : { ...tracks, sound: undefined },
  }
}
