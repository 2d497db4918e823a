import { createActor, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { liveAddress } from '../player/address.ts'
import { mediaMachine } from '../player/media.machine.ts'
import type { SyncPlaybackEvent, SyncPlaybackInput, SharedClockCommand } from './sync-playback.events.ts'
import { syncPlaybackMachine } from './sync-playback.machine.ts'
import type { TrackEvent, TileRef } from './track.events.ts'
import { trackMachine } from './track.machine.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 21, 12)
const at = now - 60 * minute

const tile = () => createActor(mediaMachine, { input: { sound: { volume: 0, isMuted: true }, rate: 1 } }).start()

const inputOf = (given: Partial<SyncPlaybackInput> = {}): SyncPlaybackInput => ({
  slots: [
    { key: 'a', uid: 'gate', tile: tile(), isAvailable: true, isSeen: true },
    { key: 'b', uid: 'yard', tile: tile(), isAvailable: false, isSeen: true },
  ],
  limits: { rangesMaxSeconds: 10_800, playlistMaxSeconds: 604_800 },
  now,
  zone: 'UTC',
  address: liveAddress,
  ...given,
})

function open(given: Partial<SyncPlaybackInput> = {}) {
  const log: string[] = []
  const ready: (() => void)[] = []
  const clock = new SimulatedClock()
  const minutes = (moment: number | null) => (moment === null ? 'live' : `${(moment - now) / minute}`)
  const actor = createActor(
    syncPlaybackMachine.provide({
      actors: {
        sharedClock: fromCallback<SharedClockCommand>(({ receive }) =>
          receive((command) =>
            log.push(`clock ${command.at === null ? 'goes on' : minutes(command.at)} at ${command.rate}`),
          ),
        ),
        readinessBarrier: fromPromise(({ input }) => {
          log.push(`gather ${input.tracks.length}`)
          return new Promise<void>((resolve) => ready.push(resolve))
        }),
      },
      actions: {
        writeAddress: (_, { address, change }) => log.push(`${change} ${minutes(address.at)} ${address.speed}`),
      },
    }),
    { clock, input: inputOf(given) },
  ).start()
  const taken = () => log.splice(0)
  const after = (...events: SyncPlaybackEvent[]) => {
    for (const event of events) actor.send(event)
    return { value: actor.getSnapshot().value, log: taken() }
  }
  const tracksReady = async () => {
    for (const resolve of ready.splice(0)) resolve()
    await settle()
    return { value: actor.getSnapshot().value, log: taken() }
  }
  const tracks = () =>
    Object.values(actor.getSnapshot().context.tracks).map((track) => ({
      value: track.getSnapshot().value,
      at: minutes(track.getSnapshot().context.at),
    }))
  return { actor, after, clock, tracksReady, tracks, taken }
}

describe('synchronized playback of a mosaic', () => {
  test('a requested moment stops the clock there until all tracks are ready; then it runs', async () => {
    const { after, tracksReady, tracks } = open()
    after()
    const seeking = after({ type: 'moment.requested', at })
    expect({ seeking, tracks: tracks(), playing: await tracksReady() }).toEqual({
      seeking: { value: { archive: 'seeking' }, log: ['arrived -60 1', 'clock -60 at 0', 'gather 2'] },
      tracks: [
        { value: { archive: 'finding' }, at: '-60' },
        { value: { archive: 'finding' }, at: '-60' },
      ],
      playing: { value: { archive: 'playing' }, log: ['clock goes on at 1'] },
    })
  })

  test("a track that isn't ready within a second isn't waited for", () => {
    const { actor, after, clock } = open()
    after({ type: 'moment.requested', at })
    clock.increment(999)
    const before = actor.getSnapshot().value
    clock.increment(1)
    expect([before, actor.getSnapshot().value]).toEqual([{ archive: 'seeking' }, { archive: 'playing' }])
  })

  test('a link begins at its moment and speed', async () => {
    const { tracksReady, taken } = open({ address: { ...liveAddress, at, speed: 4 } })
    expect({ before: taken(), after: await tracksReady() }).toEqual({
      before: ['gather 2', 'arrived -60 4', 'clock -60 at 0'],
      after: { value: { archive: 'playing' }, log: ['clock goes on at 4'] },
    })
  })

  test('paused, it stays paused at every moment and frame step, and plays once all tracks are ready', async () => {
    const { after, tracksReady } = open({ address: { ...liveAddress, at } })
    await tracksReady()
    const paused = after({ type: 'pause.requested' })
    after({ type: 'moment.requested', at: now - 30 * minute })
    const sought = await tracksReady()
    after({ type: 'step.requested', direction: 1 }, { type: 'step.requested', direction: 1 })
    const stepped = after({ type: 'step.requested', direction: -1 })
    await tracksReady()
    const resumed = after({ type: 'play.requested' })
    expect({ paused, sought, stepped, resumed, playing: (await tracksReady()).value }).toEqual({
      paused: { value: { archive: 'paused' }, log: ['clock goes on at 0'] },
      sought: { value: { archive: 'paused' }, log: ['clock goes on at 0'] },
      stepped: {
        value: { archive: 'seeking' },
        log: [`arrived ${-30 + 40 / minute} 1`, `clock ${-30 + 40 / minute} at 0`, 'gather 2'],
      },
      resumed: {
        value: { archive: 'seeking' },
        log: [`arrived ${-30 + 40 / minute} 1`, `clock ${-30 + 40 / minute} at 0`, 'gather 2'],
      },
      playing: { archive: 'playing' },
    })
  })

  test('a speed takes effect at once during playback', async () => {
    const { after, tracksReady } = open({ address: { ...liveAddress, at } })
    await tracksReady()
    expect(after({ type: 'speed.chosen', rate: 4 })).toEqual({
      value: { archive: 'playing' },
      log: ['changed -60 4', 'clock goes on at 4'],
    })
  })

  test('near the present all tiles are live again, at normal speed', async () => {
    const { actor, after, tracksReady, tracks } = open({ address: { ...liveAddress, at, speed: 4 } })
    await tracksReady()
    const live = after({ type: 'sharedClock.ticked', at: now - 10_000, now })
    expect({ live, tracks: tracks(), rate: actor.getSnapshot().context.rate }).toEqual({
      live: { value: { live: 'watching' }, log: ['arrived live 1', 'clock goes on at 0'] },
      tracks: [
        { value: 'live', at: 'live' },
        { value: 'live', at: 'live' },
      ],
      rate: 1,
    })
  })

  test('a moment of the last seconds is live', () => {
    const { after } = open({ address: { ...liveAddress, at } })
    expect(after({ type: 'moment.requested', at: now - 5000 }).value).toEqual({ live: 'watching' })
  })

  test('the period follows the clock that leaves it, for the tracks too', async () => {
    const { actor, after, tracksReady } = open({ address: { ...liveAddress, at, span: 10 * minute } })
    await tracksReady()
    const { period: before } = actor.getSnapshot().context
    after(
      { type: 'sharedClock.ticked', at: before.to - 1, now },
      { type: 'sharedClock.ticked', at: before.to + 1, now },
    )
    const { period, tracks } = actor.getSnapshot().context
    expect({
      from: period.from - before.from,
      tracks: Object.values(tracks).map((track) => track.getSnapshot().context.period),
    }).toEqual({
      from: 7.5 * minute + 1,
      tracks: [period, period],
    })
  })

  test('a tile that is left live stays so while the others go elsewhere, and joins them', () => {
    const { after, tracks } = open()
    after({ type: 'moment.requested', at }, { type: 'tile.leftLive', key: 'a' })
    const left = tracks()
    after({ type: 'tile.joined', key: 'a' })
    expect([left, tracks()]).toEqual([
      [
        { value: { left: 'watching' }, at: '-60' },
        { value: { archive: 'finding' }, at: '-60' },
      ],
      [
        { value: { archive: 'finding' }, at: '-60' },
        { value: { archive: 'finding' }, at: '-60' },
      ],
    ])
  })

  test('a moment shown on all tiles includes those that were left live', () => {
    const { after, tracks } = open()
    after(
      { type: 'moment.requested', at },
      { type: 'tile.leftLive', key: 'a' },
      { type: 'moment.shared', at: now - 30 * minute },
    )
    expect(tracks()).toEqual([
      { value: { archive: 'finding' }, at: '-30' },
      { value: { archive: 'finding' }, at: '-30' },
    ])
  })

  test('a hidden page stops the clock, and continues at its moment', async () => {
    const { after, tracksReady, tracks } = open({ address: { ...liveAddress, at } })
    await tracksReady()
    const hidden = after({ type: 'page.hidden' })
    const resting = tracks()
    const shown = after({ type: 'page.shown' })
    expect({ hidden, resting, shown: shown.value, tracks: tracks() }).toEqual({
      hidden: { value: { archive: 'hidden' }, log: ['clock goes on at 0'] },
      resting: [
        { value: 'resting', at: '-60' },
        { value: 'resting', at: '-60' },
      ],
      shown: { archive: 'seeking' },
      tracks: [
        { value: { archive: 'finding' }, at: '-60' },
        { value: { archive: 'finding' }, at: '-60' },
      ],
    })
  })

  test("the browser's back and forward lead to moments and to live; the page's own address changes nothing", async () => {
    const { after, tracksReady } = open({ address: { ...liveAddress, at } })
    await tracksReady()
    const moved = (moment: number | null) =>
      after({ type: 'address.moved', address: { ...liveAddress, at: moment } }).value
    expect([moved(at + 3000), moved(at - 20 * minute), moved(null)]).toEqual([
      { archive: 'playing' },
      { archive: 'seeking' },
      { live: 'watching' },
    ])
  })

  test('tracks are added and removed with the tiles', () => {
    const { actor, after, tracks } = open({ address: { ...liveAddress, at } })
    const before = actor.getSnapshot().context.tracks['a']
    after({ type: 'slots.changed', slots: [{ key: 'c', uid: 'hall', tile: tile(), isAvailable: true, isSeen: true }] })
    expect({
      keys: Object.keys(actor.getSnapshot().context.tracks),
      tracks: tracks(),
      before: before?.getSnapshot().status,
    }).toEqual({
      keys: ['c'],
      tracks: [{ value: { archive: 'finding' }, at: '-60' }],
      before: 'stopped',
    })
  })

  test('a tile out of sight is unloaded, and follows the clock again once it is in sight', () => {
    const { after, tracks } = open({ address: { ...liveAddress, at } })
    const slots = inputOf().slots
    const values = (isSeen: boolean) => {
      after({
        type: 'slots.changed',
        slots: slots.map((fillSlots) => (fillSlots.key === 'a' ? { ...fillSlots, isSeen } : fillSlots)),
      })
      return tracks().map(({ value }) => value)
    }
    expect([values(false), values(false), values(true)]).toEqual([
      ['resting', { archive: 'finding' }],
      ['resting', { archive: 'finding' }],
      [{ archive: 'finding' }, { archive: 'finding' }],
    ])
  })

  test('every edge of the chart is walked', () => {
    const still = () => undefined
    const fixtures: readonly SyncPlaybackEvent[] = [
      { type: 'timeline.zoomedIn' },
      { type: 'timeline.zoomedOut' },
      { type: 'timeline.zoomedAt', factor: 2, at },
      { type: 'timeline.movedEarlier' },
      { type: 'timeline.movedLater' },
      { type: 'timeline.centred', at },
      { type: 'timeline.panned', to: at },
      { type: 'timeline.resized', width: 900 },
      { type: 'moment.requested', at },
      { type: 'moment.requested', at: now },
      { type: 'moment.shared', at },
      { type: 'live.requested' },
      { type: 'play.requested' },
      { type: 'pause.requested' },
      { type: 'speed.chosen', rate: 4 },
      { type: 'step.requested', direction: 1 },
      { type: 'tile.leftLive', key: 'a' },
      { type: 'tile.joined', key: 'a' },
      { type: 'track.seen', key: 'a', isSeen: true },
      { type: 'slots.changed', slots: [] },
      { type: 'sharedClock.ticked', at, now },
      { type: 'sharedClock.ticked', at: now, now },
      { type: 'address.moved', address: { ...liveAddress, at: at - 30 * minute } },
      { type: 'address.moved', address: liveAddress },
      { type: 'page.hidden' },
      { type: 'page.shown' },
    ]
    const events: readonly AnyEventObject[] = [
      ...fixtures,
      { type: 'xstate.done.actor.readinessBarrier', output: undefined },
      { type: 'xstate.error.actor.readinessBarrier', error: new Error('not provided') },
      { type: 'xstate.after.timeout.syncPlayback.archive.seeking' },
    ]
    const model = syncPlaybackMachine.provide({
      actors: {
        track: trackMachine.provide({
          actors: { follow: fromCallback<TrackEvent, { tile: TileRef }>(() => undefined) },
        }),
      },
      actions: {
        fillSlots: still,
        notifyTracks: still,
        notifyTrack: still,
        setClock: still,
        runClock: still,
        restClock: still,
        move: still,
        advance: still,
        show: still,
      },
    })
    const walked = [liveAddress, { ...liveAddress, at }].map((address) =>
      walkEdges(syncPlaybackMachine, {
        model,
        input: inputOf({ address }),
        events,
        name: ({ value, context }) => `${JSON.stringify(value)} ${context.at === null} ${context.isPlaying}`,
      }),
    )
    expect(walked.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walked.flatMap(({ covered }) => covered))].toSorted()).toEqual(walked[0]?.declared)
  })
})
