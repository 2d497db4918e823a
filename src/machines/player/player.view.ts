import type { Interval } from '../timeline/intervals.ts'
import type { PlayerEvent } from './player.events.ts'
import { arrived, playerSetup, wentOn } from './player.setup.ts'

type Picked = Extract<PlayerEvent, { type: 'timeline.picked' }>
type NextFound = Extract<PlayerEvent, { type: 'timeline.nextFound' }>

type Way = typeof arrived | typeof wentOn

const toLive = (way: Way) => ({
  target: '#player.view.live' as const,
  actions: ['leaveArchive' as const, 'notifyLoop' as const, ...way] as const,
})

const startOf = (fragment: Interval | null) => ({ at: fragment?.from ?? 0, fragment: { to: fragment?.to ?? 0 } })

/** docs/behaviour.md §7: live, its fragment, or the fragment after its gap; a trailing gap leads nowhere. */
function picked(way: Way) {
  const target = '#player.view.archive.inFragment' as const
  return [
    { guard: { type: 'isOfLive' as const, params: ({ event }: { event: Picked }) => event }, ...toLive(way) },
    {
      guard: { type: 'isOfFragment' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: [
        {
          type: 'rangeFrom' as const,
          params: ({ event }: { event: Picked }) => ({ at: event.at, fragment: event.interval }),
        },
        'notifyLoop' as const,
        ...way,
      ] as const,
    },
    {
      guard: { type: 'isFollowed' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: [
        { type: 'rangeFrom' as const, params: ({ event }: { event: Picked }) => startOf(event.nextFragment) },
        'notifyLoop' as const,
        ...way,
      ] as const,
    },
  ]
}

/** Where the answer to what follows a moment leads: live, or the fragment's start. */
function nextFound(way: Way) {
  const params = ({ event }: { event: NextFound }) => ({ interval: event.next })
  return [
    { guard: { type: 'isOfLive' as const, params }, ...toLive(way) },
    {
      guard: { type: 'isOfFragment' as const, params },
      target: '#player.view.archive.inFragment' as const,
      actions: [
        { type: 'rangeFrom' as const, params: ({ event }: { event: NextFound }) => startOf(event.next) },
        'notifyLoop' as const,
        ...way,
      ] as const,
    },
  ]
}

const afterPick = ({ event }: { event: Picked }) => ({
  asked: event.at,
  next: event.interval.type === 'gap' ? event.nextFragment : event.interval,
})
const afterEnd = ({ event }: { event: NextFound }) => ({ asked: event.after, next: event.next })

/** Live or archive (docs/behaviour.md §7), and within them what of it is on the screen. */
export const viewRegion = playerSetup.createStateConfig({
  initial: 'starting',
  on: {
    'live.requested': { target: '.live', actions: ['leaveArchive', 'notifyLoop', ...arrived, 'play'] },
    'timeline.picked': picked(arrived),
    'timeline.nextFound': nextFound(arrived),
    'timeline.previousFound': {
      guard: { type: 'isOfFragment', params: ({ event }) => ({ interval: event.previous }) },
      target: '.archive.inFragment',
      actions: [{ type: 'rangeFrom', params: ({ event }) => startOf(event.previous) }, 'notifyLoop', ...arrived],
    },
    'address.moved': [
      {
        guard: { type: 'isOtherMoment', params: ({ event }) => event },
        actions: [
          { type: 'followAddress', params: ({ event }) => event },
          { type: 'pick', params: ({ event }) => ({ at: event.address.at ?? 0 }) },
        ],
      },
      {
        guard: { type: 'isOtherLive', params: ({ event }) => event },
        target: '.live',
        actions: [{ type: 'followAddress', params: ({ event }) => event }, 'leaveArchive', 'notifyLoop', ...arrived],
      },
      { actions: { type: 'followAddress', params: ({ event }) => event } },
    ],
  },
  states: {
    starting: { always: [{ guard: 'startsInArchive', target: 'archive.inGap' }, { target: 'live' }] },
    live: {
      initial: 'deciding',
      states: {
        deciding: {
          tags: 'busy',
          always: [
            { guard: 'isUnavailable', target: 'empty' },
            { guard: 'isHalted', target: 'halted' },
            { guard: 'isKnown', target: 'watching' },
          ],
        },
        empty: { entry: 'drop', always: { guard: 'isReachable', target: 'deciding' } },
        halted: {
          entry: 'drop',
          always: [
            { guard: 'isUnavailable', target: 'empty' },
            { guard: 'isResumed', target: 'deciding' },
          ],
        },
        watching: {
          entry: 'loadLive',
          always: [
            { guard: 'isUnavailable', target: 'empty' },
            { guard: 'isHalted', target: 'halted' },
          ],
        },
      },
    },
    archive: {
      initial: 'inFragment',
      on: {
        'clock.ticked': {
          actions: [
            { type: 'advance', params: ({ event }) => event },
            { type: 'tick', params: ({ event }) => event },
            { type: 'notifyTimeline', params: ({ event }) => event },
            { type: 'keepAddress', params: ({ context }) => ({ address: context.address, change: 'advanced' }) },
          ],
        },
      },
      states: {
        inFragment: {
          entry: 'loadArchive',
          on: { 'media.ended': { target: 'inGap', actions: { type: 'assignEnd', params: ({ event }) => event } } },
        },
        inGap: {
          tags: 'busy',
          entry: 'askWhatFollows',
          on: {
            'timeline.picked': [
              { guard: { type: 'isBeyondLoop', params: afterPick }, actions: 'repeatLoop' },
              ...picked(wentOn),
              { guard: 'isReachable', ...toLive(wentOn) },
              { target: 'atEnd' },
            ],
            'timeline.nextFound': [
              { guard: { type: 'isBeyondLoop', params: afterEnd }, actions: 'repeatLoop' },
              ...nextFound(wentOn),
              { guard: 'isReachable', ...toLive(wentOn) },
              { target: 'atEnd' },
            ],
          },
        },
        atEnd: { entry: 'pause', on: { 'play.requested': { target: 'inGap', actions: 'play' } } },
      },
    },
  },
})
