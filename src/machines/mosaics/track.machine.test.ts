import { createActor, fromCallback, fromPromise, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { ok, refused } from '../../../tests/fixtures/replies.ts'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { mediaAlone } from '../../../tests/machines/media.ts'
import { settle } from '../../../tests/machines/settle.ts'
import type { ControllerCommand } from '../player/media.events.ts'
import type { Interval } from '../timeline/intervals.ts'
import { rangesMachine } from '../timeline/timeline.actors.ts'
import type { TrackEvent, TileRef } from './track.events.ts'
import { trackMachine } from './track.machine.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 21, 8)
const now = start + 60 * minute

const answered = (content: readonly Interval[], status: number | null = null): TrackEvent => ({
  type: 'chunks.changed',
  kind: 'ranges',
  chunks:
    content.length === 0 ? [] : [{ from: start, to: start + 180 * minute, content, loadedAt: now, isStale: false }],
  apiError: status === null ? null : { status, code: '', message: '', details: {}, retryAfterSeconds: null },
  abandonedAt: null,
})

const recorded: readonly Interval[] = [
  { type: 'fragment', from: start, to: start + 10 * minute },
  { type: 'gap', from: start + 10 * minute, to: start + 12 * minute },
  { type: 'fragment', from: start + 12 * minute, to: start + 180 * minute },
]

const at = (minutes: number | null): TrackEvent => ({
  type: 'track.ticked',
  at: minutes === null ? null : start + minutes * minute,
  rate: 1,
  now,
})

function tileOf(commands: string[]) {
  const controller = fromCallback<ControllerCommand>(({ receive }) =>
    receive((command) => {
      if (command.type === 'controller.unload') commands.push('unload')
      if (command.type !== 'controller.load') return
      const { source } = command
      commands.push(
        source.kind === 'live' ? 'live' : `${(source.from - start) / minute} to ${(source.to - start) / minute}`,
      )
    }),
  )
  const input = { sound: { volume: 0, isMuted: true }, rate: 1 }
  return createActor(mediaAlone.provide({ actors: { controller } }), { input }).start()
}

const inputOf = (commands: string[], isAvailable = true) => ({
  uid: 'gate',
  tile: tileOf(commands),
  isAvailable,
  isLost: false,
  rangesMaxSeconds: 10_800,
  playlistMaxSeconds: 604_800,
  now,
})

function open({ isAvailable = true, ranges = rangesMachine } = {}) {
  const commands: string[] = []
  const follow = fromCallback<TrackEvent, { tile: TileRef }>(() => {
    commands.push('follow')
    return () => commands.push('unfollow')
  })
  const track = createActor(trackMachine.provide({ actors: { follow, ranges } }), {
    clock: new SimulatedClock(),
    input: inputOf(commands, isAvailable),
  }).start()
  const after = (...events: TrackEvent[]) => {
    for (const event of events) track.send(event)
    return { value: track.getSnapshot().value, commands: commands.splice(0) }
  }
  return { track, after }
}

describe('a camera in the archive of a mosaic', () => {
  test('plays live until the clock is set, fetches what is recorded, and follows', () => {
    const { after } = open()
    expect([after(), after(at(5)), after(answered(recorded)), after(at(5.1)), after(at(null))]).toEqual([
      { value: 'live', commands: ['live'] },
      { value: { archive: 'finding' }, commands: ['unload', 'follow'] },
      { value: { archive: 'recorded' }, commands: ['unload', '4 to 25'] },
      { value: { archive: 'recorded' }, commands: [] },
      { value: 'live', commands: ['unfollow', 'live'] },
    ])
  })

  test('notifies its tile of the rate of the clock, once for each change', () => {
    const { after, track } = open()
    const rates: number[] = []
    track.system.inspect((seen) => {
      if (seen.type === '@xstate.event' && seen.event.type === 'media.sharedRateChanged') rates.push(seen.event['rate'])
    })
    const ticked = (rate: number, minutes: number) =>
      after({ type: 'track.ticked', at: start + minutes * minute, rate, now })
    ticked(4, 5)
    after(answered(recorded))
    ticked(4, 5.1)
    ticked(2, 5.2)
    expect(rates).toEqual([4, 4, 2])
  })

  test('passes a gap within its range without loading anything', () => {
    const { after } = open()
    after(answered(recorded), at(9))
    expect([after(at(10.5)), after(at(12.1))]).toEqual([
      { value: { archive: 'inGap' }, commands: [] },
      { value: { archive: 'recorded' }, commands: [] },
    ])
  })

  test('fetches the next ranges ahead, once the clock nears the end of the known ones', () => {
    const { after, track } = open()
    const requests: string[] = []
    track.system.inspect(({ type, ...rest }) => {
      if (type === '@xstate.event' && 'event' in rest && /^chunks.(prioritized|outdated)$/.test(rest.event.type))
        requests.push(rest.event.type)
    })
    after(answered(recorded), at(5))
    const before = requests.splice(0)
    after(at(59.8))
    const value = after(at(59.9)).value
    expect({ before, near: [...new Set(requests)], value }).toEqual({
      before: ['chunks.prioritized'],
      near: ['chunks.prioritized', 'chunks.outdated'],
      value: { archive: 'recorded' },
    })
  })

  test('if a range ends early and the clock goes on, the tile reloads, but not at once', () => {
    const { after, track } = open()
    const { tile } = track.getSnapshot().context
    after(answered(recorded), at(20))
    tile.send({ type: 'engine.loaded', from: start + 19 * minute, to: start + 21 * minute })
    const ticked = (minutes: number, later: number) =>
      after({ type: 'track.ticked', at: start + minutes * minute, rate: 1, now: now + later }).commands
    expect([ticked(20.9, 6000), ticked(21, 4000), ticked(21, 6000)]).toEqual([[], [], ['unload', '20 to 41']])
  })

  test('before the moment of a failure, after which it has loaded only the rest, the tile loads its range again', () => {
    for (const rate of [1, -1]) {
      const { after, track } = open()
      const { tile } = track.getSnapshot().context
      const ticked = (minutes: number) =>
        after({ type: 'track.ticked', at: start + minutes * minute, rate, now: now + 6000 }).commands
      after(answered(recorded), at(20))
      const until = { to: start + 40 * minute }
      tile.send({ type: 'engine.loaded', from: start + 19 * minute, ...until })
      tile.send({ type: 'engine.failed', failure: 'network', at: start + 30 * minute })
      tile.send({ type: 'media.retried' })
      const loading = ticked(29)
      tile.send({ type: 'engine.loaded', from: start + 30 * minute, ...until })
      expect([loading, ticked(29)]).toEqual([
        ['unload', '30 to 40'],
        ['unload', rate > 0 ? '28 to 49' : '9 to 30'],
      ])
    }
  })

  test('backwards it loads the preceding range once, also across a gap', () => {
    const { after, track } = open()
    const { tile } = track.getSnapshot().context
    const back = (minutes: number, later = 0) =>
      after({ type: 'track.ticked', at: start + minutes * minute, rate: -1, now: now + later })
    after(answered(recorded))
    const entered = back(40)
    const [kept, crossed] = [back(20.1), back(12.1)]
    tile.send({ type: 'engine.loaded', from: start + 12 * minute, to: start + 13.1 * minute })
    const inGap = [back(11.5), back(10.2), back(10.1, 9000), back(9.9, 12_000)]
    expect({ entered, kept, crossed, inGap }).toEqual({
      entered: { value: { archive: 'recorded' }, commands: ['unload', 'follow', 'unload', '20 to 41'] },
      kept: { value: { archive: 'recorded' }, commands: [] },
      crossed: { value: { archive: 'recorded' }, commands: ['unload', '-7.9 to 13.1'] },
      inGap: [
        { value: { archive: 'inGap' }, commands: [] },
        { value: { archive: 'inGap' }, commands: [] },
        { value: { archive: 'inGap' }, commands: [] },
        { value: { archive: 'recorded' }, commands: [] },
      ],
    })
  })

  test('in a gap it shows nothing, and loads the next recording ahead', () => {
    const { after } = open()
    expect([after(answered(recorded), at(10.5)), after(at(11.8)), after(at(12))]).toEqual([
      { value: { archive: 'inGap' }, commands: ['live', 'unload', 'follow'] },
      { value: { archive: 'inGap' }, commands: ['unload', '12 to 32'] },
      { value: { archive: 'recorded' }, commands: [] },
    ])
  })

  test('after a seek into a gap the loaded range is unloaded', () => {
    const { after } = open()
    const long: readonly Interval[] = [
      { type: 'fragment', from: start, to: start + 10 * minute },
      { type: 'gap', from: start + 10 * minute, to: start + 180 * minute },
    ]
    after(answered(long), at(5))
    expect([after(at(40)), after(at(5))]).toEqual([
      { value: { archive: 'inGap' }, commands: ['unload'] },
      { value: { archive: 'recorded' }, commands: ['unload', '4 to 25'] },
    ])
  })

  test('left live it stays so whatever the clock does, is unloaded with the page, and joins again', () => {
    const { after } = open()
    after(answered(recorded), at(5))
    expect([
      after({ type: 'track.leftLive' }),
      after(at(6)),
      after({ type: 'track.rested' }),
      after({ type: 'track.woken' }),
      after({ type: 'track.joined' }),
    ]).toEqual([
      { value: { left: 'watching' }, commands: ['unfollow', 'live'] },
      { value: { left: 'watching' }, commands: [] },
      { value: { left: 'resting' }, commands: ['unload'] },
      { value: { left: 'watching' }, commands: ['live'] },
      { value: { archive: 'recorded' }, commands: ['unload', 'follow', 'unload', '5 to 26'] },
    ])
  })

  test('without the right to the archive it plays live again', () => {
    const { after } = open()
    expect([after(at(5), answered([], 403)), after(at(6))]).toEqual([
      { value: 'forbidden', commands: ['live', 'unload', 'follow', 'unfollow', 'live'] },
      { value: 'forbidden', commands: [] },
    ])
  })

  test('with the right to the archive back it fetches what is recorded, and follows the clock', async () => {
    const period = { startTime: start, endTime: start + 180 * minute }
    const replies = [refused(403, 'Forbidden'), refused(403, 'Forbidden')]
    let requests = 0
    const ranges = rangesMachine.provide({
      actors: {
        loadChunks: fromPromise(async ({ input: { cells } }) => {
          requests += 1
          const reply = replies.shift() ?? ok({ period, ranges: [{ date: start, status: 1 }] })
          return cells.map((cell) => ({ cell, reply }))
        }),
      },
    })
    const { after } = open({ ranges })
    after(at(5))
    await settle()
    const permitted = async () => {
      const before = after({ type: 'track.permitted' }).value
      await settle()
      return [before, after().value, requests]
    }
    expect([await permitted(), await permitted(), (await permitted())[2]]).toEqual([
      ['forbidden', 'forbidden', 2],
      ['forbidden', { archive: 'recorded' }, 3],
      3,
    ])
  })

  test('in the archive no live picture stays loaded, whether the moment is recorded or not yet known', () => {
    for (const known of [answered([]), answered(recorded)])
      for (const event of [at(null), { type: 'track.leftLive' } as const]) {
        const { after, track } = open()
        const { tile } = track.getSnapshot().context
        after(known, at(10.5))
        expect(tile.getSnapshot().context.source).toBe(null)
        expect(after(event).commands).toEqual(['unfollow', 'live'])
      }
  })

  test('a tile out of sight that joins the others stays unloaded until it is seen', () => {
    const { after } = open()
    after(answered(recorded), at(5), { type: 'track.leftLive' }, { type: 'track.rested' })
    const { value, commands } = after({ type: 'track.joined' })
    expect([value, commands.filter((each) => each !== 'unload')]).toEqual(['resting', []])
    expect(after({ type: 'track.woken' }).value).toEqual({ archive: 'recorded' })
  })

  test('a license that has expired is not asked about with each poll', async () => {
    let requests = 0
    const ranges = rangesMachine.provide({
      actors: {
        loadChunks: fromPromise(async ({ input: { cells } }) => {
          requests += 1
          return cells.map((cell) => ({ cell, reply: refused(403, 'LicenseExpired') }))
        }),
      },
    })
    const { after } = open({ ranges })
    after(at(5))
    await settle()
    after({ type: 'track.permitted' })
    await settle()
    expect([after().value, requests]).toEqual(['forbidden', 1])
  })

  test('it stays forbidden until the ranges are there', async () => {
    const period = { startTime: start, endTime: start + 180 * minute }
    const replies = [refused(403, 'Forbidden'), refused(503, 'ServerBusy')]
    const ranges = rangesMachine.provide({
      actors: {
        loadChunks: fromPromise(async ({ input: { cells } }) => {
          const reply = replies.shift() ?? ok({ period, ranges: [{ date: start, status: 1 }] })
          return cells.map((cell) => ({ cell, reply }))
        }),
      },
    })
    const { after } = open({ ranges })
    after(at(5))
    await settle()
    after({ type: 'track.permitted' })
    await settle()
    expect(after().value).toBe('forbidden')
  })

  test("a stream that isn't available live plays its archive all the same", () => {
    const { after } = open({ isAvailable: false })
    expect([
      after(),
      after(answered(recorded), at(5)),
      after(at(null)),
      after({ type: 'track.availabilityChanged', isAvailable: true, isLost: false }),
    ]).toEqual([
      { value: 'live', commands: [] },
      { value: { archive: 'recorded' }, commands: ['follow', 'unload', '4 to 25'] },
      { value: 'live', commands: ['unfollow', 'unload'] },
      { value: 'live', commands: ['live'] },
    ])
  })

  test("recordings after the moment of the request aren't known", () => {
    const { after, track } = open()
    expect(after(answered(recorded), at(61)).value).toEqual({ archive: 'finding' })
    expect(track.getSnapshot().hasTag('busy')).toBe(true)
  })

  test('every edge of the chart is walked', () => {
    const still = () => undefined
    const fixtures: readonly AnyEventObject[] = [
      at(null),
      at(5),
      at(11),
      at(70),
      answered(recorded),
      answered([], 403),
      { type: 'track.periodChosen', period: { from: start, to: now }, width: 900 },
      { type: 'track.seen', isSeen: true },
      { type: 'track.leftLive' },
      { type: 'track.joined' },
      { type: 'track.availabilityChanged', isAvailable: true, isLost: false },
      { type: 'track.permitted' },
      { type: 'track.rested' },
      { type: 'track.woken' },
    ]
    const { declared, covered, strayed } = walkEdges(trackMachine, {
      model: trackMachine.provide({
        actions: {
          notifyTime: still,
          notifyPeriod: still,
          requestAgain: still,
          requestRanges: still,
          refetchRecent: still,
          load: still,
          loadLive: still,
          unload: still,
          unloadLive: still,
        },
      }),
      input: inputOf([]),
      events: fixtures,
      name: ({ value, context: { at: moment, apiError, intervals } }) =>
        `${JSON.stringify(value)} ${moment} ${apiError?.status} ${intervals.length}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
