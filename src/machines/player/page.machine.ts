import { type EventObject, assign, enqueueActions, fromCallback, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { PageInput } from '../app/app.events.ts'
import { bookmarkLocationOf } from '../bookmarks/bookmark-location.ts'
import type { motionMachine } from '../motion/motion.machine.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { thumbnailsMachine } from '../timeline/thumbnails.machine.ts'
import { streamMachine } from '../stream/stream.machine.ts'
import type { StreamReport } from '../stream/stream.events.ts'
import { addressOf, openedAt } from './address.ts'
import type { Environment, PageContext, PageEvent, Tools, UnlockValues } from './page.events.ts'
import { playerMachine } from './player.machine.ts'
import { hasSameRange, openedWithin, sharedRangeOf } from './shared-range.ts'

/** The password of a shared link (docs/wire.md §5.2, share). */
export const unlockFormMachine = formMachineOf<UnlockValues, object>({
  validate: ({ password }) => (password === '' ? { password: 'required' } : {}),
})

const locksFeature = 'locks'
const exportsFeature = 'exports'
const ptzFeature = 'ptz'
const motionFeature = 'motion'

const reported = ({ event }: { event: Extract<StreamReport, { type: 'stream.reported' }> }) => event
const handleStream = [
  { type: 'describe' as const, params: reported },
  { type: 'notifyTools' as const, params: reported },
  { type: 'assignStream' as const, params: reported },
] as const

/**
 * The page of a stream's player: polls the stream's status, and runs the player once time and zone are known; each is
 * notified of the other's changes. A refused stream closes the player with the reason. A guest is asked for the
 * password of the share; any other error means to a guest that the share was withdrawn. If what the share shows of the
 * archive changes, the player starts anew.
 */
export const playerPageMachine = setup({
  types: {
    context: {} as PageContext,
    events: {} as PageEvent,
    input: {} as PageInput,
    children: {} as {
      stream: 'stream'
      loadTools: 'loadTools'
      player: 'player'
      readEnvironment: 'readEnvironment'
      unlock: 'unlock'
    },
  },
  actors: {
    /** Sends one `tools.loaded`, if a feature needs one of them. */
    loadTools: fromCallback<EventObject, { isNeeded: boolean }>(() => undefined),
    thumbnails: thumbnailsMachine,
    stream: streamMachine,
    unlock: unlockFormMachine,
    player: playerMachine,
    readEnvironment: fromPromise<Environment>(notProvided),
  },
  actions: {
    assignStream: assign((_, { stream }: { stream: Stream }) => ({ stream })),
    /** Comes before `assignStream`, and only if something changed: each description renders the header again. */
    describe: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (context.stream?.name === stream.name && context.stream.meta.canAdmin === stream.meta.canAdmin) return
      enqueue.sendParent({
        type: 'page.described',
        subject: { kind: 'stream', id: context.uid, name: stream.name || context.uid, canAdmin: stream.meta.canAdmin },
      })
    }),
    /** What the tools offer depends on the stream. */
    notifyTools: enqueueActions(({ context: { locks, ptz }, enqueue }, { stream }: { stream: Stream | null }) => {
      if (stream === null) return
      if (locks !== null) enqueue.sendTo(locks, { type: 'rights.changed', canAdmin: stream.meta.canAdmin })
      if (ptz !== null) enqueue.sendTo(ptz, { type: 'abilities.changed', abilities: stream.ptz ?? null })
    }),
    startTools: assign(({ context: { uid, features }, spawn }, { locks, exportDraft, ptz }: Tools) => ({
      hasTools: true,
      locks: features.includes(locksFeature) ? spawn(locks, { input: { uid } }) : null,
      exportDraft: features.includes(exportsFeature) ? spawn(exportDraft, { input: { uid } }) : null,
      ptz: features.includes(ptzFeature) ? spawn(ptz, { input: { uid } }) : null,
    })),
    startMotion: assign({
      motion: ({ context: { uid }, spawn }, { logic }: { logic: typeof motionMachine }) =>
        spawn(logic, { input: { uid } }),
    }),
    notifyMissing: sendParent({ type: 'page.missing' }),
    notifyStream: enqueueActions(({ enqueue, event }) => {
      if (event.type === 'stream.playing' || event.type === 'stream.idle')
        enqueue.sendTo('stream', { type: event.type })
    }),
    notifyPlayer: sendTo('player', (_, { stream }: { stream: Stream }) => ({
      type: 'stream.reported' as const,
      stream,
    })),
    retry: sendTo('stream', { type: 'stream.retried' }),
  },
  guards: {
    isGuest: ({ context }) => context.isGuest,
    isOtherRange: ({ context }, { stream }: { stream: Stream }) => !hasSameRange(context.stream, stream),
    hasNoTools: ({ context }) => !context.hasTools,
    canStartMotion: ({ context }) => context.canSearchMotion && context.motion === null,
    isPasswordRequired: (_, { code }: { code: string }) => code === 'SharePasswordRequired',
  },
}).createMachine({
  id: 'playerPage',
  context: ({ input, spawn }) => ({
    uid: input.params['uid'] ?? '',
    isGuest: input.user === null,
    limits: input.settings,
    serverZone: input.settings.timezone,
    bookmarkLocation: input.user === null ? null : bookmarkLocationOf(input),
    address: addressOf(input.address.search),
    stream: null,
    environment: null,
    features: input.user === null ? [] : input.settings.features,
    hasTools: false,
    locks: null,
    exportDraft: null,
    ptz: null,
    canSearchMotion: input.user !== null && input.settings.features.includes(motionFeature),
    motion: null,
    thumbnails:
      input.user === null
        ? null
        : spawn('thumbnails', { id: 'thumbnails', input: { streamId: input.params['uid'] ?? '' } }),
  }),
  invoke: [
    { id: 'stream', src: 'stream', input: ({ context }) => ({ uid: context.uid }) },
    {
      id: 'loadTools',
      src: 'loadTools',
      input: ({ context: { features } }) => ({
        isNeeded: [locksFeature, exportsFeature, ptzFeature].some((one) => features.includes(one)),
      }),
    },
  ],
  initial: 'opening',
  on: {
    'stream.reported': { actions: handleStream },
    'stream.forbidden': [
      { guard: { type: 'isPasswordRequired', params: ({ event }) => event }, target: '.passwordRequired' },
      { guard: 'isGuest', target: '.withdrawn' },
      { target: '.forbidden' },
    ],
    'page.missing': [{ guard: 'isGuest', target: '.withdrawn' }, { actions: 'notifyMissing' }],
    'address.changed': { actions: assign({ address: ({ event }) => addressOf(event.address.search) }) },
    'tools.loaded': {
      guard: 'hasNoTools',
      actions: [
        { type: 'startTools', params: ({ event }) => event },
        { type: 'notifyTools', params: ({ context }) => context },
      ],
    },
    'motion.loaded': { guard: 'canStartMotion', actions: { type: 'startMotion', params: ({ event }) => event } },
  },
  states: {
    opening: {
      tags: 'busy',
      invoke: {
        id: 'readEnvironment',
        src: 'readEnvironment',
        onDone: { target: 'open', actions: assign({ environment: ({ event }) => event.output }) },
        onError: 'broken',
      },
    },
    open: {
      invoke: {
        id: 'player',
        src: 'player',
        input: ({ context: { uid, limits, serverZone, bookmarkLocation, address, stream, environment } }) => ({
          uid,
          limits,
          address: openedWithin(openedAt(address), sharedRangeOf(stream)),
          stream,
          bookmarkLocation,
          now: environment?.now ?? 0,
          zones: { browser: environment?.zone ?? 'UTC', server: serverZone === '' ? null : serverZone },
          zoneChoice: environment?.zoneChoice ?? 'browser',
          sound: environment?.sound ?? { volume: 1, isMuted: false },
        }),
      },
      on: {
        'stream.reported': [
          {
            guard: { type: 'isOtherRange', params: ({ event }) => event },
            target: 'open',
            reenter: true,
            actions: handleStream,
          },
          { actions: [...handleStream, { type: 'notifyPlayer', params: ({ event }) => event }] },
        ],
        'stream.playing': { actions: 'notifyStream' },
        'stream.idle': { actions: 'notifyStream' },
        'address.changed': {
          actions: sendTo('player', ({ event }) => ({
            type: 'address.moved',
            address: addressOf(event.address.search),
          })),
        },
      },
    },
    forbidden: { tags: 'error', on: { 'stream.retried': { target: 'opening', actions: 'retry' } } },
    broken: { tags: 'error', on: { 'stream.retried': 'opening' } },
    withdrawn: { tags: 'error' },
    passwordRequired: {
      invoke: {
        id: 'unlock',
        src: 'unlock',
        input: ({ context: { uid } }) => ({ values: { uid, password: '' }, facts: null }),
      },
      on: { 'form.saved': { target: 'opening', actions: 'retry' } },
    },
  },
})
