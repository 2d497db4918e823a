import type { Interval } from '../timeline/intervals.ts'
import { writeArrival, writeContinuation } from './address-writes.ts'
import type { PlayerEvent } from './player.events.ts'
import { askAgain, reversingState } from './player.reverse.ts'
import { playerSetup } from './player.setup.ts'

type Picked = Extract<PlayerEvent, { type: 'timeline.picked' }>
type NextFound = Extract<PlayerEvent, { type: 'timeline.nextFound' }>

type AddressUpdate = typeof writeArrival | typeof writeContinuation

const toLive = (update: AddressUpdate) => ({
  target: '#player.view.live' as const,
  actions: ['forgetArchive' as const, 'notifyLoop' as const, ...update] as const,
})

const startOf = (fragment: Interval | null) => ({ at: fragment?.from ?? 0, fragment: { to: fragment?.to ?? 0 } })

/** The transitions after a pick (docs/behaviour.md §7): to live, the fragment, or the fragment after the gap. */
function afterPick(update: AddressUpdate) {
  const target = '#player.view.archive.inFragment' as const
  return [
    { guard: { type: 'isLiveInterval' as const, params: ({ event }: { event: Picked }) => event }, ...toLive(update) },
    {
      guard: { type: 'isFragment' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: [
        {
          type: 'assignRangeFrom' as const,
          params: ({ event }: { event: Picked }) => ({ at: event.at, fragment: event.interval }),
        },
        'notifyLoop' as const,
        ...update,
        'loadArchive' as const,
      ] as const,
    },
    {
      guard: { type: 'hasNextFragment' as const, params: ({ event }: { event: Picked }) => event },
      target,
      actions: [
        { type: 'assignRangeFrom' as const, params: ({ event }: { event: Picked }) => startOf(event.nextFragment) },
        'notifyLoop' as const,
        ...update,
        'loadArchive' as const,
      ] as const,
    },
  ]
}

/** The transitions to what follows a moment: live, or the start of the fragment. */
function afterNextFound(update: AddressUpdate) {
  const params = ({ event }: { event: NextFound }) => ({ interval: event.next })
  return [
    { guard: { type: 'isLiveInterval' as const, params }, ...toLive(update) },
    {
      guard: { type: 'isFragment' as const, params },
      target: '#player.view.archive.inFragment' as const,
      actions: [
        { type: 'assignRangeFrom' as const, params: ({ event }: { event: NextFound }) => startOf(event.next) },
        'notifyLoop' as const,
        ...update,
        'loadArchive' as const,
      ] as const,
    },
  ]
}

const followingPick = ({ event }: { event: Picked }) => ({
  requested: event.at,
  next: event.interval.type === 'gap' ? event.nextFragment : event.interval,
})
const followingEnd = ({ event }: { event: NextFound }) => ({ requested: event.after, next: event.next })

/**
 * Live or archive (docs/behaviour.md §7). While the user watches, what the timeline answers is an arrival; in `inGap`,
 * which playback enters at the end of a fragment, it continues playback.
 */
export const viewRegion = playerSetup.createStateConfig({
  initial: 'starting',
  on: {
    'live.requested': {
      guard: 'canGoLive',
      target: '.live',
      actions: ['cancelSearch', 'forgetArchive', 'notifyLoop', ...writeArrival, 'play'],
    },
    'timeline.picked': afterPick(writeArrival),
    'timeline.nextFound': afterNextFound(writeArrival),
    'timeline.previousFound': {
      guard: { type: 'isFragment', params: ({ event }) => ({ interval: event.previous }) },
      target: '.archive.inFragment',
      actions: [
        { type: 'assignRangeFrom', params: ({ event }) => startOf(event.previous) },
        'notifyLoop',
        ...writeArrival,
        'loadArchive',
      ],
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
        guard: { type: 'isReturnToLive', params: ({ event }) => event },
        target: '.live',
        actions: [
          { type: 'followAddress', params: ({ event }) => event },
          'cancelSearch',
          'forgetArchive',
          'notifyLoop',
          ...writeArrival,
        ],
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
          entry: 'awaitFirstPicture',
          always: [
            { guard: 'isUnavailable', target: 'empty' },
            { guard: 'isHalted', target: 'halted' },
            { guard: 'hasStream', target: 'watching' },
          ],
        },
        empty: { entry: ['unload', 'cancelPicture'], always: { guard: 'isAvailable', target: 'deciding' } },
        halted: {
          entry: ['unload', 'cancelPicture'],
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
            { type: 'writeAddress', params: ({ context }) => ({ address: context.address, change: 'advanced' }) },
          ],
        },
      },
      states: {
        inFragment: {
          on: {
            'media.ended': { target: 'inGap', actions: { type: 'assignEnd', params: ({ event }) => event } },
            'reverse.requested': {
              target: 'reversing',
              actions: { type: 'playBackwards', params: ({ event }) => event },
            },
          },
        },
        reversing: reversingState,
        inGap: {
          tags: 'busy',
          entry: 'askWhatFollows',
          on: {
            'timeline.picked': [
              { guard: { type: 'isBeyondLoop', params: followingPick }, actions: 'repeatLoop' },
              ...afterPick(writeContinuation),
              { guard: 'isLiveNext', ...toLive(writeContinuation) },
              { target: 'atEnd' },
            ],
            'timeline.nextFound': [
              { guard: { type: 'isBeyondLoop', params: followingEnd }, actions: 'repeatLoop' },
              ...afterNextFound(writeContinuation),
              { guard: 'isLiveNext', ...toLive(writeContinuation) },
              { target: 'atEnd' },
            ],
            ...askAgain('askWhatFollows'),
          },
        },
        atEnd: {
          entry: 'pause',
          on: {
            'play.requested': { target: 'inGap', actions: 'play' },
            'step.requested': { target: 'inFragment', actions: { type: 'step', params: ({ event }) => event } },
            'reverse.requested': {
              target: 'reversing.searching',
              actions: { type: 'playBackwards', params: ({ event }) => event },
            },
          },
        },
        atStart: {
          entry: 'pause',
          on: {
            'play.requested': { target: 'inFragment', actions: 'play' },
            'step.requested': { target: 'inFragment', actions: { type: 'step', params: ({ event }) => event } },
          },
        },
      },
    },
  },
})
