import { createActor, fromCallback, SimulatedClock, type AnyEventObject } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { mediaMachine } from '../player/media.machine.ts'
import type { StageCommand } from '../player/media.events.ts'
import type { Interval } from '../timeline/intervals.ts'
import { laneMachine, type LaneEvent, type TileRef } from './lane.machine.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 21, 8)
const now = start + 60 * minute

const told = (content: readonly Interval[], status: number | null = null): LaneEvent => ({
  type: 'tiles.changed',
  kind: 'ranges',
  tiles: content.length === 0 ? [] : [{ from: start, to: start + 180 * minute, content, loadedAt: now, isStale: false }],
  refusal: status === null ? null : { status, code: '', message: '', details: {}, retryAfterSeconds: null },
})

const recorded: readonly Interval[] = [
  { type: 'fragment', from: start, to: start + 10 * minute },
  { type: 'gap', from: start + 10 * minute, to: start + 12 * minute },
  { type: 'fragment', from: start + 12 * minute, to: start + 180 * minute },
]

const at = (minutes: number | null): LaneEvent => ({ type: 'lane.ticked', at: minutes === null ? null : start + minutes * minute, rate: 1, now })

function tileOf(commands: string[]) {
  const stage = fromCallback<StageCommand>(({ receive }) =>
    receive((command) => {
      if (command.type === 'stage.unload') commands.push('unload')
      if (command.type !== 'stage.load') return
      const { source } = command
      commands.push(source.kind === 'live' ? 'live' : `${(source.from - start) / minute} to ${(source.to - start) / minute}`)
    }),
  )
  const input = { sound: { volume: 0, isMuted: true }, rate: 1 }
  return createActor(mediaMachine.provide({ actors: { stage } }), { input }).start()
}

const inputOf = (commands: string[], isAvailable = true) => ({ uid: 'gate', tile: tileOf(commands), isAvailable, rangesMaxSeconds: 10_800, playlistMaxSeconds: 604_800, now })

function open({ isAvailable = true } = {}) {
  const commands: string[] = []
  const follow = fromCallback<LaneEvent, { tile: TileRef }>(() => {
    commands.push('follow')
    return () => commands.push('let go')
  })
  const lane = createActor(laneMachine.provide({ actors: { follow } }), { clock: new SimulatedClock(), input: inputOf(commands, isAvailable) }).start()
  const after = (...events: LaneEvent[]) => {
    for (const event of events) lane.send(event)
    return { value: lane.getSnapshot().value, commands: commands.splice(0) }
  }
  return { lane, after }
}

describe('a camera in the archive of a mosaic', () => {
  test('plays live until the clock is set, looks what is recorded, and follows', () => {
    const { after } = open()
    expect([after(), after(at(5)), after(told(recorded)), after(at(5.1)), after(at(null))]).toEqual([
      { value: 'live', commands: ['live'] },
      { value: { archive: 'finding' }, commands: ['follow'] },
      { value: { archive: 'recorded' }, commands: ['unload', '4 to 25'] },
      { value: { archive: 'recorded' }, commands: [] },
      { value: 'live', commands: ['let go', 'live'] },
    ])
  })

  test('goes through a gap within what it holds without loading anything', () => {
    const { after } = open()
    after(told(recorded), at(9))
    expect([after(at(10.5)), after(at(12.1))]).toEqual([
      { value: { archive: 'inGap' }, commands: [] },
      { value: { archive: 'recorded' }, commands: [] },
    ])
  })

  test('asks for what comes next before its turn, once the clock nears the end of what is known', () => {
    const { after, lane } = open()
    const asked: string[] = []
    lane.system.inspect(({ type, ...rest }) => {
      if (type === '@xstate.event' && 'event' in rest && /^tiles.(sought|outdated)$/.test(rest.event.type)) asked.push(rest.event.type)
    })
    after(told(recorded), at(5))
    const far = asked.splice(0)
    after(at(59.8))
    const value = after(at(59.9)).value
    expect({ far, asked: [...new Set(asked)], value }).toEqual({ far: ['tiles.sought'], asked: ['tiles.sought', 'tiles.outdated'], value: { archive: 'recorded' } })
  })

  test('where a stretch ended sooner than it should and the clock goes on, the tile is aimed anew, but not at once', () => {
    const { after, lane } = open()
    const { tile } = lane.getSnapshot().context
    after(told(recorded), at(20))
    tile.send({ type: 'engine.loaded', from: start + 19 * minute, to: start + 21 * minute })
    const ticked = (minutes: number, later: number) => after({ type: 'lane.ticked', at: start + minutes * minute, rate: 1, now: now + later }).commands
    expect([ticked(20.9, 6000), ticked(21, 4000), ticked(21, 6000)]).toEqual([[], [], ['unload', '20 to 41']])
  })

  test('placed in a gap it shows nothing, and has what follows ready before its turn', () => {
    const { after } = open()
    expect([after(told(recorded), at(10.5)), after(at(11.8)), after(at(12))]).toEqual([
      { value: { archive: 'inGap' }, commands: ['live', 'follow'] },
      { value: { archive: 'inGap' }, commands: ['unload', '12 to 32'] },
      { value: { archive: 'recorded' }, commands: [] },
    ])
  })

  test('where it has been seeked to nothing, what it held is let go', () => {
    const { after } = open()
    const long: readonly Interval[] = [{ type: 'fragment', from: start, to: start + 10 * minute }, { type: 'gap', from: start + 10 * minute, to: start + 180 * minute }]
    after(told(long), at(5))
    expect([after(at(40)), after(at(5))]).toEqual([
      { value: { archive: 'inGap' }, commands: ['unload'] },
      { value: { archive: 'recorded' }, commands: ['unload', '4 to 25'] },
    ])
  })

  test('left live it stays so whatever the clock does, rests with the page, and joins again', () => {
    const { after } = open()
    after(told(recorded), at(5))
    expect([after({ type: 'lane.leftLive' }), after(at(6)), after({ type: 'lane.rested' }), after({ type: 'lane.woken' }), after({ type: 'lane.joined' })]).toEqual([
      { value: { left: 'watching' }, commands: ['let go', 'live'] },
      { value: { left: 'watching' }, commands: [] },
      { value: { left: 'resting' }, commands: ['unload'] },
      { value: { left: 'watching' }, commands: ['live'] },
      { value: { archive: 'recorded' }, commands: ['follow', 'unload', '5 to 26'] },
    ])
  })

  test('without the right to the archive it stays live', () => {
    const { after } = open()
    expect([after(at(5), told([], 403)), after(at(6))]).toEqual([
      { value: 'forbidden', commands: ['live', 'follow', 'let go'] },
      { value: 'forbidden', commands: [] },
    ])
  })

  test('a stream that can\'t be had live plays its archive all the same', () => {
    const { after } = open({ isAvailable: false })
    expect([after(), after(told(recorded), at(5)), after(at(null)), after({ type: 'lane.availabilityChanged', isAvailable: true })]).toEqual([
      { value: 'live', commands: [] },
      { value: { archive: 'recorded' }, commands: ['follow', 'unload', '4 to 25'] },
      { value: 'live', commands: ['let go', 'unload'] },
      { value: 'live', commands: ['live'] },
    ])
  })

  test('what was recorded after the server was asked isn\'t known', () => {
    const { after, lane } = open()
    expect(after(told(recorded), at(61)).value).toEqual({ archive: 'finding' })
    expect(lane.getSnapshot().hasTag('busy')).toBe(true)
  })

  test('every edge of the chart is walked', () => {
    const still = () => undefined
    const fixtures: readonly AnyEventObject[] = [
      at(null), at(5), at(11), at(70),
      told(recorded), told([], 403),
      { type: 'lane.periodChosen', period: { from: start, to: now }, width: 900 },
      { type: 'lane.seen', isSeen: true },
      { type: 'lane.leftLive' },
      { type: 'lane.joined' },
      { type: 'lane.availabilityChanged', isAvailable: true },
      { type: 'lane.rested' },
      { type: 'lane.woken' },
    ]
    const { declared, covered, strayed } = walkEdges(laneMachine, {
      model: laneMachine.provide({ actions: { tellTime: still, tellPeriod: still, seek: still, askAgain: still, aim: still, aimLive: still, drop: still } }),
      input: inputOf([]),
      events: fixtures,
      name: ({ value, context: { at: moment, refusal, intervals } }) => `${JSON.stringify(value)} ${moment} ${refusal?.status} ${intervals.length}`,
    })
    expect(strayed).toEqual([])
    expect(covered).toEqual(declared)
  })
})
