import { sendTo } from 'xstate'
import { writeChange } from './address-writes.ts'
import type { PlayerEvent } from './player.events.ts'
import { playerSetup } from './player.setup.ts'

type Found<Type extends PlayerEvent['type']> = { event: Extract<PlayerEvent, { type: Type }> }

/** The transitions if another search has replaced that of `ask`, and has found nothing: it is asked again. */
export const askAgain = <Ask extends 'askWhatFollows' | 'askWhatPrecedes'>(ask: Ask) =>
  ({
    'timeline.previousFound': {
      guard: {
        type: 'isNothing',
        params: ({ event }: Found<'timeline.previousFound'>) => ({ interval: event.previous }),
      },
      actions: ask,
    },
    'timeline.annotationFound': {
      guard: { type: 'isNoAnnotation', params: ({ event }: Found<'timeline.annotationFound'>) => event },
      actions: ask,
    },
  }) as const

/**
 * The archive plays backwards (docs/behaviour.md §7). At the start of the loaded range the timeline is asked what
 * precedes it: the rest of the same fragment or, before a gap, the previous one. Backward playback ends at the start of
 * the loop or of the archive, and with a pause, a frame step or a forward speed.
 */
export const reversingState = playerSetup.createStateConfig({
  initial: 'showing',
  exit: 'endReverse',
  on: {
    'reverse.requested': { actions: { type: 'playBackwards', params: ({ event }) => event } },
    'pause.requested': { target: 'inFragment', actions: 'pause' },
    'speed.chosen': {
      target: 'inFragment',
      actions: [
        sendTo('media', ({ event }) => ({ type: 'media.rateChosen', rate: event.rate })),
        { type: 'assignSpeed', params: ({ event }) => event },
        writeChange,
      ],
    },
    'step.requested': { target: 'inFragment', actions: ['pause', { type: 'step', params: ({ event }) => event }] },
    'timeline.picked': {
      guard: { type: 'isPast', params: ({ event }) => event },
      target: '.searching',
      actions: [{ type: 'assignEnd', params: ({ event }) => ({ at: event.at + 1 }) }, 'endFollowing'],
    },
  },
  states: {
    showing: {
      on: {
        'media.startReached': [
          {
            guard: { type: 'isAtLoopStart', params: ({ event }) => event },
            target: '#player.view.archive.inFragment',
            actions: 'pause',
          },
          { target: 'searching', actions: { type: 'assignEnd', params: ({ event }) => event } },
        ],
      },
    },
    searching: {
      tags: 'busy',
      entry: 'askWhatPrecedes',
      on: {
        'timeline.precedingFound': [
          {
            guard: { type: 'isFragment', params: ({ event }) => ({ interval: event.preceding }) },
            target: 'showing',
            actions: [{ type: 'assignRangeBack', params: ({ event }) => event }, 'loadArchive'],
          },
          { target: '#player.view.archive.atStart' },
        ],
        ...askAgain('askWhatPrecedes'),
        'timeline.nextFound': {
          guard: { type: 'isNothing', params: ({ event }) => ({ interval: event.next }) },
          actions: 'askWhatPrecedes',
        },
      },
    },
  },
})
