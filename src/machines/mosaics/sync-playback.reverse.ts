import { changeSlots, notifyMoment, writeAddress } from './sync-playback.actions.ts'
import { syncPlaybackSetup } from './sync-playback.setup.ts'

/**
 * All tiles play backwards in rounds (docs/behaviour.md §10): the actor `reverseRounds` sets the shared clock to a
 * moment, waits until the tiles show it, and goes on to an earlier one. After the choice of a forward speed, the clock
 * stops at the moment that the tiles show (`turning`), and they play forwards from there once they are ready.
 */
export const reversingState = syncPlaybackSetup.createStateConfig({
  initial: 'showing',
  entry: { type: 'setPlaying', params: { isPlaying: true } },
  exit: 'endReverse',
  states: {
    showing: {
      entry: ['runClockBackwards', ...notifyMoment],
      invoke: [
        {
          id: 'reverseRounds',
          src: 'reverseRounds',
          input: ({ context }) => ({ tracks: Object.values(context.tracks) }),
        },
        {
          id: 'readArchiveStart',
          src: 'readArchiveStart',
          input: ({ context }) => ({ uids: [...new Set(context.slots.map(({ uid }) => uid))] }),
          onDone: { actions: { type: 'assignArchiveStart', params: ({ event }) => ({ at: event.output }) } },
          onError: { actions: { type: 'assignArchiveStart', params: { at: null } } },
        },
      ],
      on: {
        'slots.changed': {
          actions: [...changeSlots, 'notifyReverseRounds'],
        },
        'sharedClock.ticked': {
          guard: { type: 'isArchiveStart', params: ({ event }) => event },
          target: '#syncPlayback.archive.seeking',
          actions: ['goToArchiveStart', { type: 'setPlaying', params: { isPlaying: false } }],
        },
        'reverse.requested': {
          actions: [{ type: 'assignReverse', params: ({ event }) => event }, 'runClockBackwards', ...notifyMoment],
        },
        'moment.requested': [
          { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: '#syncPlayback.live' },
          {
            actions: [
              { type: 'assignMoment', params: ({ event }) => event },
              'setClock',
              'runClockBackwards',
              'revealMoment',
              ...notifyMoment,
              writeAddress('arrived'),
            ],
          },
        ],
        'speed.chosen': { target: 'turning', actions: { type: 'assignRate', params: ({ event }) => event } },
        'pause.requested': '#syncPlayback.archive.paused',
        'step.requested': '#syncPlayback.archive.paused',
        'page.hidden': {
          target: '#syncPlayback.archive.hidden',
          actions: { type: 'setPlaying', params: { isPlaying: false } },
        },
      },
    },
    turning: {
      entry: 'stopClock',
      on: {
        'sharedClock.ticked': {
          target: '#syncPlayback.archive.seeking',
          actions: { type: 'advance', params: ({ event }) => event },
        },
      },
    },
  },
})
