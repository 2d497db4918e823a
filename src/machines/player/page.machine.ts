import {
  type ActorRefFrom,
  type EventObject,
  assign,
  enqueueActions,
  fromCallback,
  fromPromise,
  sendParent,
  sendTo,
  setup,
} from 'xstate'
import type { Stream } from '../../api/contract/stream.ts'
import type { PageInput } from '../app/app.events.ts'
import { bookmarkLocationOf } from '../bookmarks/bookmark-location.ts'
import type { motionMachine } from '../motion/motion.machine.ts'
import { formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { timelineListsMachine } from '../timeline/timeline-lists.machine.ts'
import { thumbnailsMachine } from '../timeline/thumbnails.machine.ts'
import { streamMachine } from '../stream/stream.machine.ts'
import type { StreamReport } from '../stream/stream.events.ts'
import { addressOf, openedAt } from './address.ts'
import type { Environment, PageContext, PageEvent, Tools, UnlockValues } from './page.events.ts'
import type { PlayerReport } from './player.events.ts'
import { playerMachine } from './player.machine.ts'
import { hasSameSharedRange, openedWithin, sharedRangeOf } from './shared-range.ts'

/** The password of a shared link (docs/wire.md §5.2, share). */
export const unlockFormMachine = formMachineOf<UnlockValues, object>({
  validate: ({ password }) => (password === '' ? { password: 'required' } : {}),
})

const locksFeature = 'locks'
const exportsFeature = 'exports'
const ptzFeature = 'ptz'
const motionFeature = 'motion'

const streamReported = ({ event }: { event: Extract<StreamReport, { type: 'stream.reported' }> }) => event
const handleStream = [
  { type: 'describe' as const, params: streamReported },
  { type: 'notifyTools' as const, params: streamReported },
  { type: 'assignStream' as const, params: streamReported },
] as const

/**
 * The page of a stream's player: `stream` polls the stream's status, and `player` runs once time and zone are known.
 * The player gets each change of the stream, and the stream machine whether live plays, for the lease of viewers. If
 * the server refuses the stream, the player closes: a user sees the reason; a guest is asked for the password of the
 * share, or sees after any other refusal that the share was withdrawn. After a retry the player opens where it was. If
 * the range of the archive that the share shows changes, the player starts anew.
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
    /** Loads the code of the tools if the server has a feature that needs one, and sends one `tools.loaded`. */
    loadTools: fromCallback<EventObject, { isNeeded: boolean }>(() => undefined),
    thumbnails: thumbnailsMachine,
    timelineLists: timelineListsMachine,
    stream: streamMachine,
    unlock: unlockFormMachine,
    player: playerMachine,
    readEnvironment: fromPromise<Environment>(notProvided),
  },
  actions: {
    assignStream: assign((_, { stream }: { stream: Stream }) => ({ stream })),
    /** The next player continues where the last one was. */
    keepAddress: assign(({ context, self }) => {
      const player: ActorRefFrom<typeof playerMachine> | undefined = self.getSnapshot().children.player
      return { address: player?.getSnapshot().context.address ?? context.address }
    }),
    /** Comes before `assignStream`. Sends only changes, as each description renders the header again. */
    describe: enqueueActions(({ context, enqueue }, { stream }: { stream: Stream }) => {
      if (context.stream?.name === stream.name && context.stream.meta.canAdmin === stream.meta.canAdmin) return
      enqueue.sendParent({
        type: 'page.described',
        subject: { kind: 'stream', id: context.uid, name: stream.name || context.uid, canAdmin: stream.meta.canAdmin },
      })
    }),
    /** Locks depend on the right to administer the stream, PTZ on what its camera can do. */
    notifyTools: enqueueActions(({ context: { locks, ptz }, enqueue }, { stream }: { stream: Stream | null }) => {
      if (stream === null) return
      if (locks !== null) enqueue.sendTo(locks, { type: 'rights.changed', canAdmin: stream.meta.canAdmin })
      if (ptz !== null) enqueue.sendTo(ptz, { type: 'abilities.changed', abilities: stream.ptz ?? null })
    }),
    startTools: assign(({ context: { uid, features, limits }, spawn }, tools: Tools) => ({
      hasTools: true,
      locks: features.includes(locksFeature) ? spawn(tools.locks, { input: { uid } }) : null,
      exportDraft: features.includes(exportsFeature)
        ? spawn(tools.exportDraft, {
            input: {
              uid,
              limits: {
                maxSeconds: limits.archiveDownloadMaxSeconds,
                chunkMs: limits.rangesMaxSeconds * 1000,
                maxItems: tools.maxExportItems,
              },
            },
          })
        : null,
      ptz: features.includes(ptzFeature) ? spawn(tools.ptz, { input: { uid } }) : null,
    })),
    assignEnvironment: assign(({ context, spawn }, environment: Environment) => ({
      environment,
      timelineLists:
        context.timelineLists ?? spawn('timelineLists', { id: 'timelineLists', input: environment.timelineLists }),
    })),
    startMotion: assign({
      motion: ({ context: { uid }, spawn }, { logic }: { logic: typeof motionMachine }) =>
        spawn(logic, { input: { uid } }),
    }),
    notifyMissing: sendParent({ type: 'page.missing' }),
    notifyStream: sendTo('stream', (_, { type }: PlayerReport) => ({ type })),
    notifyPlayer: sendTo('player', (_, { stream }: { stream: Stream }) => ({
      type: 'stream.reported' as const,
      stream,
    })),
    retry: sendTo('stream', { type: 'stream.retried' }),
  },
  guards: {
    isGuest: ({ context }) => context.isGuest,
    isOtherSharedRange: ({ context }, { stream }: { stream: Stream }) => !hasSameSharedRange(context.stream, stream),
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
    address: openedAt(addressOf(input.address.search)),
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
    timelineLists: null,
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
    'address.changed': { actions: assign({ address: ({ event }) => openedAt(addressOf(event.address.search)) }) },
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
        onDone: { target: 'open', actions: { type: 'assignEnvironment', params: ({ event }) => event.output } },
        onError: 'broken',
      },
    },
    open: {
      exit: 'keepAddress',
      invoke: {
        id: 'player',
        src: 'player',
        input: ({ context: { uid, limits, serverZone, bookmarkLocation, address, stream, environment } }) => ({
          uid,
          limits,
          address: openedWithin(address, sharedRangeOf(stream)),
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
            guard: { type: 'isOtherSharedRange', params: ({ event }) => event },
            target: 'open',
            reenter: true,
            actions: handleStream,
          },
          { actions: [...handleStream, { type: 'notifyPlayer', params: ({ event }) => event }] },
        ],
        'stream.playing': { actions: { type: 'notifyStream', params: ({ event }) => event } },
        'stream.idle': { actions: { type: 'notifyStream', params: ({ event }) => event } },
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
