import { changeSlots, notifyMoment, writeAddress } from './sync-playback.actions.ts'
import { syncPlaybackSetup } from './sync-playback.setup.ts'

/**
 * All tiles play backwards, in rounds that `reverseRounds` times (docs/behaviour.md §10): it sets the shared clock to a
 * moment and waits until the tiles show it. When a forward speed is chosen, the clock stops at the shown moment
 * (`turning`), and the tiles play forwards from there once they are ready.
 */
export const reversingState = syncPlaybackSetup.createStateConfig({
  initial: 'showing',
  entry: { type: 'setPlaying', params: { isPlaying: true } },
  exit: 'endReverse',
  states: {
    showing: {
      entry: ['reverseClock', ...notifyMoment],
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
          actions: [...changeSlots, 'notifyRounds'],
        },
        'sharedClock.ticked': {
          guard: { type: 'isArchiveStart', params: ({ event }) => event },
          target: '#syncPlayback.archive.seeking',
          actions: ['goToArchiveStart', { type: 'setPlaying', params: { isPlaying: false } }],
        },
        'reverse.requested': {
          actions: [{ type: 'assignReverse', params: ({ event }) => event }, 'reverseClock', ...notifyMoment],
        },
        'moment.requested': [
          { guard: { type: 'isLiveMoment', params: ({ event }) => event }, target: '#syncPlayback.live' },
          {
            actions: [
              { type: 'assignMoment', params: ({ event }) => event },
              'setClock',
              'reverseClock',
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
