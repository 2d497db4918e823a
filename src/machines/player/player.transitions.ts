import type { Interval } from '../timeline/intervals.ts'
import type { PlayerEvent } from './player.events.ts'

type Picked = Extract<PlayerEvent, { type: 'timeline.picked' }>
type NextFound = Extract<PlayerEvent, { type: 'timeline.nextFound' }>

/** The start of a fragment, as the place to play from. */
export const startOf = (fragment: Interval | null) => ({ at: fragment?.from ?? 0, fragment: { to: fragment?.to ?? 0 } })

/** Where a picked moment leads (spec.md §4): live, its fragment, or the fragment after its gap; a trailing gap leads nowhere. */
export function picked() {
  const target = '#player.view.archive.inFragment' as const
  return [
    { guard: { type: 'isOfLive' as const, params: ({ event }: { event: Picked }) => event }, target: '#player.view.live' as const },
    {
      guard: { type: 'isOfFragment' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: { type: 'stretchFrom' as const, params: ({ event }: { event: Picked }) => ({ at: event.at, fragment: event.interval }) },
    },
    {
      guard: { type: 'isFollowed' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: { type: 'stretchFrom' as const, params: ({ event }: { event: Picked }) => startOf(event.nextFragment) },
    },
  ]
}

/** Where the answer to what follows a moment leads: live, or the fragment's start. */
export function nextFound() {
  const params = ({ event }: { event: NextFound }) => ({ interval: event.next })
  return [
    { guard: { type: 'isOfLive' as const, params }, target: '#player.view.live' as const },
    {
      guard: { type: 'isOfFragment' as const, params },
      target: '#player.view.archive.inFragment' as const,
      actions: { type: 'stretchFrom' as const, params: ({ event }: { event: NextFound }) => startOf(event.next) },
    },
  ]
}
