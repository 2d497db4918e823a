import { assign, enqueueActions, fromCallback, fromPromise, sendParent, sendTo, setup } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { Address, PageInput } from '../app/app.events.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { notProvided } from '../not-provided.ts'
import { addressOf, liveAddress } from '../player/address.ts'
import { mediaMachine } from '../player/media.machine.ts'
import { cycleSeconds } from './kiosk.ts'
import type { AlarmCommand, Environment, MosaicContext, MosaicEvent } from './mosaic.events.ts'
import { inOrder, keyOf, type TileKey } from './mosaic-grid.ts'
import { withDigit } from './enlarged-tile.ts'
import { offerOf } from '../player/rendition.ts'
import { delayPoll } from '../polling/delay-poll.ts'
import { pollMachine } from '../polling/poll.machine.ts'
import { syncPlaybackMachine } from './sync-playback.machine.ts'
import { isAnyPlaying, type SyncPlaybackRef } from './sync-playback.selectors.ts'
import { exportCamerasOf, lockCamerasOf, slotsOf } from './tile-slots.ts'
import { tourMachine } from './tour.machine.ts'

type ExportLoaded = Extract<MosaicEvent, { type: 'export.loaded' }>
type LockLoaded = Extract<MosaicEvent, { type: 'lock.loaded' }>

export const exportsFeature = 'exports'
export const locksFeature = 'locks'

const muted = { volume: 0, isMuted: true }

/** A tile out of sight stays loaded for this long, as it may soon be in sight again. */
const outOfSightMs = 5000
const outOfSight = (key: string) => `outOfSight.${key}`

const present = (key: string | null, keys: ReadonlySet<string>) => (key !== null && keys.has(key) ? key : null)

export const mosaicSetup = setup({
  types: {
    context: {} as MosaicContext,
    events: {} as MosaicEvent,
    input: {} as PageInput,
    children: {} as {
      [key: TileKey]: 'tile'
      fetchMosaic: 'fetchMosaic'
      poll: 'poll'
      tour: 'tour'
      visibility: 'visibility'
      syncPlayback: 'syncPlayback'
      readEnvironment: 'readEnvironment'
      alarm: 'alarm'
    },
  },
  actors: {
    fetchMosaic: fromPromise<Reply<Mosaic>, { id: string; extendLease: boolean }>(notProvided),
    poll: pollMachine,
    tile: mediaMachine,
    syncPlayback: syncPlaybackMachine,
    tour: tourMachine,
    readEnvironment: fromPromise<Environment, { timezone: string }>(notProvided),
    visibility: fromCallback(() => undefined),
    alarm: fromCallback<AlarmCommand>(() => undefined),
  },
  actions: {
    assignMosaic: assign({
      mosaic: (_args, { mosaic }: { mosaic: Mosaic }) => ({ ...mosaic, cells: inOrder(mosaic.cells) }),
      apiError: null,
    }),
    handleApiError: enqueueActions((machine, { apiError }: { apiError: ApiError }) =>
      handlePageApiError(machine, { apiError }, machine.context.apiError),
    ),
    describe: sendParent((_args, { mosaic }: { mosaic: Mosaic }) => ({
      type: 'page.described',
      subject: { kind: 'mosaic', id: mosaic.id, name: mosaic.name, canAdmin: mosaic.meta.canAdmin },
    })),
    assignLease: assign(({ context, self }) => {
      const syncPlayback: SyncPlaybackRef | undefined = self.getSnapshot().children.syncPlayback
      return { extendLease: context.isPlaying && isAnyPlaying(syncPlayback?.getSnapshot()) }
    }),
    notifyAnswered: sendTo('poll', { type: 'poll.answered' }),
    delayPoll: enqueueActions(delayPoll),
    notifyMissing: sendParent({ type: 'page.missing' }),
    /** Stops the tiles that left the grid, and starts those that are new. A tile that left is no longer enlarged. */
    updateTiles: enqueueActions(({ context, enqueue }) => {
      const keys = new Set<string>((context.mosaic?.cells ?? []).map(keyOf))
      for (const [key, tile] of Object.entries(context.tiles)) if (!keys.has(key)) enqueue.stopChild(tile)
      enqueue.assign({
        focused: present(context.focused, keys),
        enlarged: present(context.enlarged, keys),
        tiles: ({ context: { tiles }, spawn }) =>
          Object.fromEntries(
            (context.mosaic?.cells ?? [])
              .map(keyOf)
              .map((key) => [key, tiles[key] ?? spawn('tile', { id: key, input: { sound: muted, rate: 1 } })]),
          ),
      })
      enqueue.sendTo('tour', { type: 'tour.keysChanged', keys: [...keys] })
    }),
    /** Sends each tile the renditions of its stream, before the tile loads one. */
    notifyOffers: enqueueActions(({ context: { mosaic, tiles }, enqueue }) => {
      for (const cell of mosaic?.cells ?? []) {
        const [tile, stream] = [tiles[keyOf(cell)], mosaic?.streams?.find(({ uid }) => uid === cell.streamUid)]
        if (tile !== undefined && stream !== undefined)
          enqueue.sendTo(tile, { type: 'media.offered', offer: offerOf(stream) })
      }
    }),
    assignSight: enqueueActions(
      ({ context: { unseen }, enqueue }, { key, isSeen }: { key: string; isSeen: boolean }) => {
        enqueue.cancel(outOfSight(key))
        if (!isSeen) enqueue.raise({ type: 'tile.outOfSight', key }, { id: outOfSight(key), delay: outOfSightMs })
        else if (unseen.has(key)) {
          enqueue.assign({ unseen: new Set([...unseen].filter((one) => one !== key)) })
          enqueue.raise({ type: 'slots.settled' })
        }
      },
    ),
    addUnseen: assign({ unseen: ({ context: { unseen } }, { key }: { key: string }) => new Set([...unseen, key]) }),
    /** A tile that was paused outside of the page, or that the browser didn't let play, has no button of its own. */
    resume: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: true })
      for (const tile of Object.values(context.tiles)) enqueue.sendTo(tile, { type: 'media.playRequested' })
    }),
    /** Loads live the tiles that are to play, and unloads the others. */
    play: enqueueActions(({ context, enqueue }) => {
      for (const { uid, tile, isAvailable, isLost, isSeen } of slotsOf(context)) {
        const { source } = tile.getSnapshot().context
        const isShown = isAvailable && isSeen
        if (isShown && source?.kind !== 'live')
          enqueue.sendTo(tile, { type: 'media.loadRequested', source: { kind: 'live', uid } })
        else if (!isShown && source !== null) {
          if (isLost) enqueue.sendTo(tile, { type: 'media.lossReported' })
          enqueue.sendTo(tile, { type: 'media.unloadRequested' })
        }
      }
    }),
    assignAlarm: assign((_args, { isOn }: { isOn: boolean }) => ({ isAlarmOn: isOn })),
    toggleAlarm: enqueueActions(({ context: { isAlarmOn }, enqueue }) => {
      enqueue.assign({ isAlarmOn: !isAlarmOn })
      enqueue.sendTo('alarm', { type: 'alarm.switched', isOn: !isAlarmOn })
    }),
    ringAlarm: sendTo('alarm', { type: 'alarm.rung' }),
    unload: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ isPlaying: false })
      for (const tile of Object.values(context.tiles)) enqueue.sendTo(tile, { type: 'media.unloadRequested' })
    }),
    enlargeByNumber: assign(({ context }, { digit }: { digit: string }) =>
      withDigit(context, digit, (context.mosaic?.cells ?? []).map(keyOf)),
    ),
    assignAddress: enqueueActions(({ enqueue }, { address }: { address: Pick<Address, 'search'> }) => {
      enqueue.assign({ address: addressOf(address.search) })
      enqueue.sendTo('tour', { type: 'tour.paceChanged', seconds: cycleSeconds(address) })
    }),
    notifySlots: sendTo('syncPlayback', ({ context }) => ({ type: 'slots.changed', slots: slotsOf(context) })),
    notifyAddress: sendTo('syncPlayback', ({ context }) => ({ type: 'address.moved', address: context.address })),
    startExport: assign({
      exporting: ({ context: { exporting, limits }, spawn }, { logic, maxItems }: ExportLoaded) =>
        exporting ??
        spawn(logic, {
          input: {
            limits: {
              maxSeconds: limits.archiveDownloadMaxSeconds,
              chunkMs: limits.rangesMaxSeconds * 1000,
              maxItems,
            },
          },
        }),
    }),
    requestExport: enqueueActions(({ context: { exporting, mosaic }, enqueue }, { range, now, zone }: ExportLoaded) => {
      const cameras = exportCamerasOf(mosaic)
      if (exporting !== null) enqueue.sendTo(exporting, { type: 'export.requested', range, now, zone, cameras })
    }),
    startLock: assign({
      locking: ({ context: { locking }, spawn }, { logic }: LockLoaded) => locking ?? spawn(logic),
    }),
    requestLock: enqueueActions(({ context: { locking, mosaic }, enqueue }, { range }: LockLoaded) => {
      const cameras = lockCamerasOf(mosaic)
      if (locking !== null) enqueue.sendTo(locking, { type: 'lock.requested', range, cameras })
    }),
    forgetAddress: assign({ address: liveAddress }),
    /** Provided by the wiring: writes the address of live playback. */
    leaveArchive: (_args) => undefined,
    /** The focused tile is the only one with sound. */
    focus: enqueueActions(({ context, enqueue }, { key }: { key: string | null }) => {
      for (const [name, tile] of Object.entries(context.tiles)) {
        const volume = name === key ? 1 : 0
        if (name === key || name === context.focused) enqueue.sendTo(tile, { type: 'media.volumeChosen', volume })
      }
      enqueue.assign({ focused: key })
    }),
  },
  guards: {
    isOk: (_, { reply }: { reply: Reply<unknown> }) => reply.ok,
    isMissing: (_args, { apiError }: { apiError: ApiError }) =>
      apiError.status === 404 || apiError.code === 'ValidationError',
    canExport: ({ context }) => context.limits.features.includes(exportsFeature),
    canLock: ({ context }) => context.limits.features.includes(locksFeature),
    isAlarmOn: ({ context }) => context.isAlarmOn,
    startsInArchive: ({ context }) => context.address.at !== null,
    isArchiveRequested: (_args, { address }: { address: Pick<Address, 'search'> }) =>
      addressOf(address.search).at !== null,
  },
  delays: { digitPause: 1000 },
})
