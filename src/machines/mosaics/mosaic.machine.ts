import { assign, cancel, enqueueActions, raise } from 'xstate'
import { apiErrorOf, delayPollAfterRefusal, handleFault, handleRefusal } from '../api-errors.ts'
import { addressOf, openedAt } from '../player/address.ts'
import { cycleSeconds } from './kiosk.ts'
import type { MosaicEvent } from './mosaic.events.ts'
import { mosaicSetup } from './mosaic.setup.ts'
import { slotsOf } from './tile-slots.ts'

type AddressChanged = Extract<MosaicEvent, { type: 'address.changed' }>

const toArchive = {
  guard: { type: 'isArchiveRequested' as const, params: ({ event }: { event: AddressChanged }) => event },
  target: 'synchronized' as const,
  actions: { type: 'assignAddress' as const, params: ({ event }: { event: AddressChanged }) => event },
}

/**
 * The page that shows a mosaic. The region `polling` requests the mosaic every 10 s (docs/behaviour.md §10) and extends
 * the lease of viewers while the mosaic plays; a request without an answer is repeated, each time after twice as long,
 * but no sooner than the server's `retry-after`.
 * The region `playback` plays the tiles live, or runs synchronized playback of the archive, which then decides what the
 * tiles play. Each tile has a media machine of its own, so that a failure of one doesn't affect the others. A tile is
 * unloaded while its stream is unavailable or after it has been out of sight for a while; all tiles are unloaded while
 * the page is hidden. If enabled, a sound reports the loss of a live picture.
 */
export const mosaicMachine = mosaicSetup.createMachine({
  id: 'mosaic',
  context: ({ input }) => ({
    id: input.params['id'] ?? '',
    mosaic: null,
    apiError: null,
    tiles: {},
    unseen: new Set(),
    isPlaying: true,
    extendLease: true,
    isAlarmOn: false,
    focused: null,
    enlarged: null,
    typed: '',
    limits: input.settings,
    address: openedAt(addressOf(input.address.search)),
    initialCycleSeconds: cycleSeconds(input.address),
    environment: null,
    exporting: null,
    locking: null,
  }),
  type: 'parallel',
  invoke: [
    { id: 'visibility', src: 'visibility' },
    { id: 'alarm', src: 'alarm' },
    { id: 'tour', src: 'tour', input: ({ context }) => ({ keys: [], seconds: context.initialCycleSeconds }) },
  ],
  on: {
    'alarm.read': { actions: { type: 'assignAlarm', params: ({ event }) => event } },
    'alarm.toggled': { actions: 'toggleAlarm' },
    'media.lost': { guard: 'isAlarmOn', actions: 'ringAlarm' },
    'export.loaded': {
      guard: 'canExport',
      actions: [
        { type: 'startExport', params: ({ event }) => event },
        { type: 'requestExport', params: ({ event }) => event },
      ],
    },
    'lock.loaded': {
      guard: 'canLock',
      actions: [
        { type: 'startLock', params: ({ event }) => event },
        { type: 'requestLock', params: ({ event }) => event },
      ],
    },
    'tile.focused': { actions: { type: 'focus', params: ({ event }) => event } },
    'tile.enlarged': { actions: assign({ enlarged: ({ event }) => event.key }) },
    'digit.typed': {
      actions: [
        { type: 'enlargeByNumber', params: ({ event }) => event },
        cancel('digitsEnded'),
        raise({ type: 'digits.ended' }, { id: 'digitsEnded', delay: 'digitPause' }),
      ],
    },
    'digits.ended': { actions: assign({ typed: '' }) },
    'tile.seen': { actions: { type: 'assignSight', params: ({ event }) => event } },
    'tile.outOfSight': {
      actions: [{ type: 'addUnseen', params: ({ event }) => event }, raise({ type: 'slots.settled' })],
    },
  },
  states: {
    playback: {
      initial: 'starting',
      on: { 'address.changed': { actions: { type: 'assignAddress', params: ({ event }) => event } } },
      states: {
        starting: { always: [{ guard: 'startsInArchive', target: 'synchronized' }, { target: 'playing' }] },
        playing: {
          entry: ['resume', 'play'],
          on: {
            'slots.settled': { actions: 'play' },
            'mosaic.paused': 'paused',
            'page.hidden': 'hidden',
            'archive.opened': 'synchronized',
            'address.changed': toArchive,
          },
        },
        paused: {
          entry: 'unload',
          on: { 'mosaic.resumed': 'playing', 'archive.opened': 'synchronized', 'address.changed': toArchive },
        },
        hidden: {
          entry: 'unload',
          on: { 'page.shown': [{ guard: 'startsInArchive', target: 'synchronized' }, { target: 'playing' }] },
        },
        synchronized: {
          entry: 'resume',
          initial: 'opening',
          on: {
            'archive.closed': { target: 'playing', actions: ['forgetAddress', 'leaveArchive'] },
            'mosaic.paused': { target: 'paused', actions: ['forgetAddress', 'leaveArchive'] },
          },
          states: {
            opening: {
              tags: 'busy',
              invoke: {
                id: 'readEnvironment',
                src: 'readEnvironment',
                input: ({ context }) => context.limits,
                onDone: { target: 'open', actions: assign({ environment: ({ event }) => event.output }) },
                onError: '#mosaic.playback.playing',
              },
            },
            open: {
              invoke: {
                id: 'syncPlayback',
                src: 'syncPlayback',
                input: ({ context }) => ({
                  slots: slotsOf(context),
                  limits: context.limits,
                  now: context.environment?.now ?? 0,
                  zone: context.environment?.zone ?? 'UTC',
                  address: context.address,
                }),
              },
              on: {
                'slots.settled': { actions: 'notifySlots' },
                'address.changed': {
                  actions: [{ type: 'assignAddress', params: ({ event }) => event }, 'notifyAddress'],
                },
              },
            },
          },
        },
      },
    },
    polling: {
      initial: 'fetching',
      invoke: { id: 'poll', src: 'poll', input: { intervalMs: 10_000, maxIntervalMs: 80_000 } },
      on: {
        'poll.due': { target: '.fetching', actions: 'assignLease' },
        'poll.rested': '.waiting',
        'mosaic.retried': { target: '.fetching', actions: 'assignLease' },
      },
      states: {
        fetching: {
          tags: 'busy',
          invoke: {
            id: 'fetchMosaic',
            src: 'fetchMosaic',
            input: ({ context: { id, extendLease } }) => ({ id, extendLease }),
            onDone: [
              {
                guard: { type: 'isOk', params: ({ event }) => ({ reply: event.output }) },
                target: 'waiting',
                actions: enqueueActions(({ enqueue, event }) => {
                  if (!event.output.ok) return
                  enqueue({ type: 'assignMosaic', params: { mosaic: event.output.value } })
                  enqueue({ type: 'describe', params: { mosaic: event.output.value } })
                  enqueue('updateTiles')
                  enqueue('notifyOffers')
                  enqueue.raise({ type: 'slots.settled' })
                }),
              },
              {
                guard: { type: 'isMissing', params: ({ event }) => ({ apiError: apiErrorOf(event.output) }) },
                target: 'missing',
                actions: 'notifyMissing',
              },
              {
                target: 'waiting',
                actions: [handleRefusal, delayPollAfterRefusal],
              },
            ],
            onError: { target: 'waiting', actions: handleFault },
          },
        },
        waiting: { entry: 'notifyAnswered' },
        missing: { on: { 'poll.due': {}, 'poll.rested': {} } },
      },
    },
  },
})
