import type { PlayerContext } from './player.events.ts'

type WithContext = { readonly context: PlayerContext }

/** After the user went to a moment: adds a history entry, unless the address itself requested the moment. */
export const writeArrival = [
  {
    type: 'writeAddress' as const,
    params: ({ context: { address, isFollowing } }: WithContext) => ({
      address,
      change: isFollowing ? ('changed' as const) : ('arrived' as const),
    }),
  },
  'endFollowing' as const,
] as const

/** After playback went on to another range: no history entry. */
export const writeContinuation = [
  {
    type: 'writeAddress' as const,
    params: ({ context: { address } }: WithContext) => ({ address, change: 'changed' as const }),
  },
  'endFollowing' as const,
] as const

/** After a change of speed, loop, selection or period: no history entry. */
export const writeChange = {
  type: 'writeAddress' as const,
  params: ({ context: { address } }: WithContext) => ({ address, change: 'changed' as const }),
}
