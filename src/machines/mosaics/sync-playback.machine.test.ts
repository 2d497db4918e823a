import { createActor, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { mediaAlone } from '../../../tests/machines/media.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { liveAddress } from '../player/address.ts'
import type {
  ReadinessBarrierInput,
  ReverseRoundsCommand,
  SharedClockCommand,
  SyncPlaybackEvent,
  SyncPlaybackInput,
} from './sync-playback.events.ts'
import { syncPlaybackMachine } from './sync-playback.machine.ts'
import type { TrackEvent, TileRef } from './track.events.ts'
import { trackMachine } from './track.machine.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 21, 12)
const at = now - 60 * minute

const tile = () => createActor(mediaAlone, { input: { sound: { volume: 0, isMuted: true }, rate: 1 } }).start()

const inputOf = (given: Partial<SyncPlaybackInput> = {}): SyncPlaybackInput => ({
  slots: [
    { key: 'a', uid: 'gate', tile: tile(), isAvailable: true, isLost: false, isPermitted: true, isSeen: true },
    { key: 'b', uid: 'yard', tile: tile(), isAvailable: false, isLost: false, isPermitted: true, isSeen: true },
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
  const archiveStart = Promise.withResolvers<number | null>()
  const minutes = (moment: number | null) => (moment === null ? 'live' : `${(moment - now) / minute}`)
  const actor = createActor(
    syncPlaybackMachine.provide({
      actors: {
        sharedClock: fromCallback<SharedClockCommand>(({ receive }) =>
          receive((command) =>
            log.push(`clock ${command.at === null ? 'goes on' : minutes(command.at)} at ${command.rate}`),
          ),
        ),
        reverseRounds: fromCallback<ReverseRoundsCommand, ReadinessBarrierInput>(({ input, receive }) => {
          log.push(`rounds of ${input.tracks.length}`)
          receive(({ tracks }) => log.push(`rounds of ${tracks.length}`))
          return () => log.push('no more rounds')
        }),
        readArchiveStart: fromPromise(() => archiveStart.promise),
        readinessBarrier: fromPromise(({ input }) => {
          log.push(`wait for ${input.tracks.length}`)
          return new Promise<void>((resolve) => ready.push(resolve))
        }),
      },
      actions: {
        writeAddress: (_, { address: { at: moment, speed, selection }, change }) => {
          const marked = selection === null ? '' : `, marked ${minutes(selection.from)} to ${minutes(selection.to)}`
          log.push(`${change} ${minutes(moment)} ${speed}${marked}`)
        },
      },
    }),
    { clock, input: inputOf(given) },
  ).start()
  const newLines = () => log.splice(0)
  const after = (...events: SyncPlaybackEvent[]) => {
    for (const event of events) actor.send(event)
    return { value: actor.getSnapshot().value, log: newLines() }
  }
  const tracksReady = async () => {
    for (const resolve of ready.splice(0)) resolve()
    await settle()
    return { value: actor.getSnapshot().value, log: newLines() }
  }
  const tracks = () =>
    Object.values(actor.getSnapshot().context.tracks).map((track) => ({
      value: track.getSnapshot().value,
      at: minutes(track.getSnapshot().context.at),
    }))
  return { actor, after, clock, tracksReady, tracks, newLines, resolveArchiveStart: archiveStart.resolve }
}

describe('synchronized playback of a mosaic', () => {
  test('a requested moment stops the clock there until all tracks are ready; then it runs', async () => {
    const { after, tracksReady, tracks } = open()
    after()
    const seeking = after({ type: 'moment.requested', at })
    expect({ seeking, tracks: tracks(), playing: await tracksReady() }).toEqual({
      seeking: { value: { archive: 'seeking' }, log: ['arrived -60 1', 'clock -60 at 0', 'wait for 2'] },
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
    const { tracksReady, newLines } = open({ address: { ...liveAddress, at, speed: 4 } })
    expect({ before: newLines(), after: await tracksReady() }).toEqual({
      before: ['wait for 2', 'arrived -60 4', 'clock -60 at 0'],
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
        log: [`arrived ${-30 + 40 / minute} 1`, `clock ${-30 + 40 / minute} at 0`, 'wait for 2'],
      },
      resumed: {
        value: { archive: 'seeking' },
        log: [`arrived ${-30 + 40 / minute} 1`, `clock ${-30 + 40 / minute} at 0`, 'wait for 2'],
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

  test('live, the period follows the present, unless the user has moved it away', () => {
    const { actor, after } = open()
    const shown = () => {
      const { period } = actor.getSnapshot().context
      return { from: (period.from - now) / minute, to: (period.to - now) / minute }
    }
    const first = shown()
    const tick = (later: number) => after({ type: 'sharedClock.ticked', at: now, now: now + later * minute })
    tick(first.to - 1)
    expect(shown()).toEqual(first)
    tick(first.to + 1)
    const followed = shown()
    expect(followed.from).toBeLessThan(first.to + 1)
    expect(followed.to).toBeGreaterThan(first.to + 1)
    after({ type: 'moment.requested', at: now - 2 * 24 * 60 * minute })
    expect(shown().to).toBeLessThan(0)
    after({ type: 'live.requested' })
    expect(shown().to).toBeGreaterThan(first.to + 1)
    after({ type: 'timeline.centred', at: now - 24 * 60 * minute })
    const moved = shown()
    tick(first.to + 2)
    expect(shown()).toEqual(moved)
  })

  test('a tile that is left live stays live while the others show the archive, until it joins them', () => {
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

  test.each([
    ['the archive', { ...liveAddress, at }, { archive: 'finding' }],
    ['live', liveAddress, 'live'],
  ])(
    'a tile that goes out of sight wakes none in a hidden page, and rests when it is shown: %s',
    (_, address, playing) => {
      const { after, tracks } = open({ address })
      const slots = inputOf().slots.map((slot) => (slot.key === 'a' ? { ...slot, isSeen: false } : slot))
      const values = (...events: SyncPlaybackEvent[]) => {
        after(...events)
        return tracks().map(({ value }) => value)
      }
      expect([
        values({ type: 'page.hidden' }, { type: 'slots.changed', slots }),
        values({ type: 'page.shown' }),
      ]).toEqual([
        ['resting', 'resting'],
        ['resting', playing],
      ])
    },
  )

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
    after({
      type: 'slots.changed',
      slots: [
        { key: 'c', uid: 'hall', tile: tile(), isAvailable: true, isLost: false, isPermitted: true, isSeen: true },
      ],
    })
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

  test('a camera whose archive the user may view now is asked again for its recordings', () => {
    const { actor, after } = open({ address: { ...liveAddress, at } })
    const permitted: string[] = []
    actor.system.inspect((seen) => {
      const { actorRef } = seen
      const isPermission = seen.type === '@xstate.event' && seen.event.type === 'track.permitted'
      if (isPermission && 'id' in actorRef) permitted.push(String(actorRef.id))
    })
    const slots = inputOf().slots.map((slot) => ({ ...slot, isPermitted: slot.key === 'b' }))
    after({ type: 'slots.changed', slots })
    expect(permitted).toEqual(['b'])
  })

  test('a tile out of sight is unloaded, and follows the clock again once it is in sight', () => {
    const { after, tracks } = open({ address: { ...liveAddress, at } })
    const slots = inputOf().slots
    const values = (isSeen: boolean) => {
      after({
        type: 'slots.changed',
        slots: slots.map((slot) => (slot.key === 'a' ? { ...slot, isSeen } : slot)),
      })
      return tracks().map(({ value }) => value)
    }
    expect([values(false), values(false), values(true)]).toEqual([
      ['resting', { archive: 'finding' }],
      ['resting', { archive: 'finding' }],
      [{ archive: 'finding' }, { archive: 'finding' }],
    ])
  })

  describe('backwards', () => {
    const backwards = async (rate = -2) => {
      const opened = open({ address: { ...liveAddress, at } })
      await opened.tracksReady()
      return { ...opened, entered: opened.after({ type: 'reverse.requested', rate }) }
    }
    const tick = (moment: number): SyncPlaybackEvent => ({ type: 'sharedClock.ticked', at: moment, now })
    const tileRates = (actor: ReturnType<typeof open>['actor']) =>
      actor.getSnapshot().context.slots.map((slot) => slot.tile.getSnapshot().context.sharedRate)

    test('the tiles turn at the moment shown, and the rounds move the clock', async () => {
      const { actor, entered, after, newLines } = await backwards()
      const faster = after({ type: 'reverse.requested', rate: -8 })
      expect({ entered, faster, rates: tileRates(actor), rest: newLines() }).toEqual({
        entered: { value: { archive: { reversing: 'showing' } }, log: ['clock goes on at -2', 'rounds of 2'] },
        faster: { value: { archive: { reversing: 'showing' } }, log: ['clock goes on at -8'] },
        rates: [-8, -8],
        rest: [],
      })
    })

    test('a pause and a frame step end it at the moment shown, from which it then plays forwards', async () => {
      const { after, tracksReady, actor } = await backwards()
      const paused = after({ type: 'pause.requested' }, tick(at - minute))
      after({ type: 'play.requested' })
      await tracksReady()
      const stepped = after({ type: 'reverse.requested', rate: -1 }, { type: 'step.requested', direction: -1 })
      expect({ paused, stepped: stepped.value, rates: tileRates(actor) }).toEqual({
        paused: {
          value: { archive: 'paused' },
          log: ['no more rounds', 'clock goes on at 0', `advanced -61 1`],
        },
        stepped: { archive: 'paused' },
        rates: [-1, -1],
      })
    })

    test('a forward speed ends it: the clock stops, and ready tiles play on from the moment shown', async () => {
      const { after, tracksReady } = await backwards()
      const turned = after({ type: 'speed.chosen', rate: 4 })
      const waiting = after(tick(at - 2 * minute))
      expect({ turned, waiting, playing: await tracksReady() }).toEqual({
        turned: { value: { archive: { reversing: 'turning' } }, log: ['no more rounds', 'clock goes on at 0'] },
        waiting: { value: { archive: 'seeking' }, log: ['arrived -62 4', 'clock -62 at 0', 'wait for 2'] },
        playing: { value: { archive: 'playing' }, log: ['clock goes on at 4'] },
      })
    })

    test('a picked moment goes on backwards from there, a moment of the last seconds is live', async () => {
      const { after } = await backwards()
      expect([
        after({ type: 'moment.requested', at: now - 20 * minute }),
        after({ type: 'moment.requested', at: now }).value,
      ]).toEqual([
        {
          value: { archive: { reversing: 'showing' } },
          log: ['arrived -20 1', 'clock -20 at 0', 'clock goes on at -2'],
        },
        { live: 'watching' },
      ])
    })

    test('it pauses at the start of the archive', async () => {
      const { after, resolveArchiveStart } = await backwards(-16)
      const before = after(tick(at - 300 * minute)).value
      resolveArchiveStart(at - 400 * minute)
      await settle()
      expect([before, after(tick(at - 399 * minute)).value, after(tick(at - 401 * minute))]).toEqual([
        { archive: { reversing: 'showing' } },
        { archive: { reversing: 'showing' } },
        {
          value: { archive: 'seeking' },
          log: ['arrived -460 1', 'no more rounds', 'clock -460 at 0', 'wait for 2'],
        },
      ])
    })

    test('it goes on without a known start', async () => {
      const { after, resolveArchiveStart } = await backwards()
      resolveArchiveStart(null)
      await settle()
      expect(after(tick(at - 9000 * minute)).value).toEqual({ archive: { reversing: 'showing' } })
    })

    test('the rounds get the tiles that are added, and a hidden page pauses', async () => {
      const { after, tracksReady } = await backwards()
      const slots = [
        { key: 'c', uid: 'hall', tile: tile(), isAvailable: true, isLost: false, isPermitted: true, isSeen: true },
      ]
      const changed = after({ type: 'slots.changed', slots })
      after({ type: 'page.hidden' })
      after({ type: 'page.shown' })
      expect([changed.log, (await tracksReady()).value]).toEqual([['rounds of 1'], { archive: 'paused' }])
    })

    test('nothing plays backwards from live or hidden', () => {
      const { after } = open()
      expect(after({ type: 'reverse.requested', rate: -1 }).value).toEqual({ live: 'watching' })
    })
  })

  describe('the in and out marks', () => {
    const marks = (actor: ReturnType<typeof open>['actor']) => {
      const { from, to } = actor.getSnapshot().context.marks
      return [from, to].map((moment) => (moment === null ? null : (moment - now) / minute))
    }

    test('are set, replaced and cleared, in live too, and the address has the range', () => {
      const { actor, after } = open()
      after()
      const steps = [
        { type: 'selection.inMarked', at: now - 20 * minute },
        { type: 'selection.outMarked', at: now - 10 * minute },
        { type: 'selection.inMarked', at: now - 5 * minute },
        { type: 'selection.spanned', from: now - 3 * minute, to: now - 4 * minute },
        { type: 'selection.cleared' },
      ] as const
      expect(steps.map((step) => [after(step).log, marks(actor)])).toEqual([
        [['changed live 1'], [-20, null]],
        [['changed live 1, marked -20 to -10'], [-20, -10]],
        [['changed live 1'], [-5, null]],
        [['changed live 1, marked -4 to -3'], [-4, -3]],
        [['changed live 1'], [null, null]],
      ])
    })

    test('come with a link, and with the browser’s back and forward', () => {
      const selection = { from: now - 20 * minute, to: now - 10 * minute }
      const { actor, after } = open({ address: { ...liveAddress, at, selection } })
      const moved = (address: object) => {
        after({ type: 'address.moved', address: { ...liveAddress, at, ...address } })
        return marks(actor)
      }
      const linked = marks(actor)
      const gone = moved({})
      after({ type: 'selection.inMarked', at: now - minute })
      expect([linked, gone, moved({}), moved({ selection }), moved({ at: null })]).toEqual([
        [-20, -10],
        [null, null],
        [-1, null],
        [-20, -10],
        [null, null],
      ])
    })
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
      { type: 'sharedClock.ticked', at: at - 60 * minute, now },
      { type: 'reverse.requested', rate: -2 },
      { type: 'selection.inMarked', at },
      { type: 'selection.outMarked', at: now },
      { type: 'selection.spanned', from: at, to: now },
      { type: 'selection.cleared' },
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
      { type: 'xstate.done.actor.readArchiveStart', output: at - 30 * minute },
      { type: 'xstate.error.actor.readArchiveStart', error: new Error('not provided') },
      { type: 'xstate.after.readinessTimeout.syncPlayback.archive.seeking' },
    ]
    const model = syncPlaybackMachine.provide({
      actors: {
        track: trackMachine.provide({
          actors: { follow: fromCallback<TrackEvent, { tile: TileRef }>(() => undefined) },
        }),
      },
      actions: {
        updateTracks: still,
        notifyTracks: still,
        notifyTrack: still,
        setClock: still,
        runClock: still,
        stopClock: still,
        runClockBackwards: still,
        notifyReverseRounds: still,
        movePeriod: still,
        advance: still,
        revealMoment: still,
      },
    })
    const walked = [liveAddress, { ...liveAddress, at }].map((address) =>
      walkEdges(syncPlaybackMachine, {
        model,
        input: inputOf({ address }),
        events: events.filter(({ type }) => address.at === null || !/^(timeline|selection|track|tile)\./.test(type)),
        name: ({ value, context: { at: moment, isPlaying, reverse, archiveStart } }) =>
          `${JSON.stringify(value)} ${moment === null} ${isPlaying} ${reverse !== null && archiveStart}`,
      }),
    )
    expect(walked.flatMap(({ strayed }) => strayed)).toEqual([])
    expect([...new Set(walked.flatMap(({ covered }) => covered))].toSorted()).toEqual(walked[0]?.declared)
  })
})
