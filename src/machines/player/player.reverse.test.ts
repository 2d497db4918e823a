import { expect, test } from 'vitest'
import {
  addressAt,
  archive,
  first,
  gap,
  gone,
  hour,
  live,
  now,
  picked,
  second,
  startPlayer,
  trailing,
} from '../../../tests/machines/player.ts'
import type { Interval } from '../timeline/intervals.ts'
import type { PlayerInput } from './player.events.ts'

const minute = 60_000

/** A player whose archive plays backwards at 4×, from two minutes after `at`, of which an hour is loaded. */
function reversing(at = second.from + 2 * hour, given: Partial<PlayerInput> = {}) {
  const player = startPlayer(given)
  player.send(picked(at, second, null))
  player.report({ type: 'engine.loaded', from: at, to: at + hour }, { type: 'engine.played' })
  player.send({ type: 'clock.ticked', now, playhead: at + 2 * minute }, { type: 'reverse.requested', rate: -4 })
  return player
}

const precedes = (before: number, preceding: Interval | null) =>
  ({ type: 'timeline.precedingFound', before, preceding }) as const

test('backward playback begins where the archive plays or is paused, in what is loaded', () => {
  const { view, commands, loads, snapshot } = reversing()
  expect(view()).toEqual({ archive: { reversing: 'showing' } })
  expect(commands.slice(-2)).toEqual([{ type: 'controller.setRate', rate: -4 }, { type: 'controller.play' }])
  expect([loads().length, snapshot().context.address.speed]).toEqual([2, 1])
})

test('not in live', () => {
  const { view, send, commands } = startPlayer()
  const before = commands.length
  send({ type: 'reverse.requested', rate: -1 })
  expect([view(), commands.length]).toEqual([{ live: 'watching' }, before])
})

test('another speed goes on backwards', () => {
  const { view, send, commands } = reversing()
  send({ type: 'reverse.requested', rate: -16 })
  expect([view(), commands.at(-2)]).toEqual([
    { archive: { reversing: 'showing' } },
    { type: 'controller.setRate', rate: -16 },
  ])
})

test('a pause rests at the moment shown, at the speed before', () => {
  const { view, send, commands, loads } = reversing()
  const before = loads().length
  send({ type: 'pause.requested' })
  expect([view(), commands.slice(-2), loads().length]).toEqual([
    { archive: 'inFragment' },
    [{ type: 'controller.setRate', rate: 1 }, { type: 'controller.pause' }],
    before,
  ])
})

test('a speed plays forwards from the moment shown', () => {
  const { view, send, commands, snapshot } = reversing()
  send({ type: 'speed.chosen', rate: 2 })
  expect([view(), commands.at(-1), snapshot().context.address.speed]).toEqual([
    { archive: 'inFragment' },
    { type: 'controller.setRate', rate: 2 },
    2,
  ])
})

test('a frame step pauses and steps', () => {
  const { view, send, commands } = reversing()
  send({ type: 'step.requested', direction: -1 })
  expect([view(), commands.slice(-2)]).toEqual([
    { archive: 'inFragment' },
    [{ type: 'controller.pause' }, { type: 'controller.step', direction: -1 }],
  ])
})

test('at the start of what is loaded the same fragment goes on', () => {
  const { view, report, send, requests, loads, commands } = reversing()
  const at = second.from + 2 * hour
  report({ type: 'engine.startReached', at })
  expect([view(), requests().at(-1)]).toEqual([
    { archive: { reversing: 'searching' } },
    { type: 'timeline.previousRequested', before: at, isPartial: true },
  ])
  send(precedes(at, second))
  expect([view(), loads().at(-1), commands.at(-1)]).toMatchObject([
    { archive: { reversing: 'showing' } },
    archive(at - hour, at),
    { type: 'controller.load', isPlaying: true, rate: -4 },
  ])
})

test('across a gap it goes on at the end of the recording before', () => {
  const { report, send, loads } = reversing()
  report({ type: 'engine.startReached', at: second.from })
  send(precedes(second.from, first))
  expect(loads().at(-1)).toEqual(archive(first.from, first.to))
})

test('it ends at the start of the archive, paused; play goes forwards from there', () => {
  const { view, report, send, commands } = reversing()
  report({ type: 'engine.startReached', at: first.from })
  send(precedes(first.from, null))
  expect([view(), commands.slice(-2)]).toEqual([
    { archive: 'atStart' },
    [{ type: 'controller.setRate', rate: 1 }, { type: 'controller.pause' }],
  ])
  send({ type: 'play.requested' })
  expect([view(), commands.at(-1)]).toEqual([{ archive: 'inFragment' }, { type: 'controller.play' }])
})

test('it ends at the in mark while the loop is on', () => {
  const at = second.from + 2 * hour
  const selection = { from: at + minute, to: at + 3 * minute }
  const { view, report, commands } = reversing(at + minute, { address: addressAt(at, { selection, isLooping: true }) })
  report({ type: 'engine.startReached', at: selection.from })
  expect([view(), commands.at(-1)]).toEqual([{ archive: 'inFragment' }, { type: 'controller.pause' }])
})

test('a picked moment goes on backwards from there, a picked gap from the recording before, live ends it', () => {
  const { view, send, requests, loads, commands } = reversing()
  send(picked(first.from + minute, first, null))
  expect(requests().at(-1)).toEqual({
    type: 'timeline.previousRequested',
    before: first.from + minute + 1,
    isPartial: true,
  })
  send(precedes(first.from + minute + 1, first))
  expect(loads().at(-1)).toEqual(archive(first.from + minute + 1 - 2 * minute, first.from + minute + 1))
  send(picked(gap.from + minute, gap, second))
  expect(view()).toEqual({ archive: { reversing: 'searching' } })
  send(precedes(gap.from + minute + 1, first), picked(now - 1000, live, null))
  expect([view(), commands.at(-1)]).toMatchObject([{ live: 'watching' }, { type: 'controller.load', rate: 1 }])
})

test('a pick after now changes nothing', () => {
  const { view, send, commands } = reversing()
  const before = commands.length
  send(picked(now + 1000, trailing, null))
  expect([view(), commands.length]).toEqual([{ archive: { reversing: 'showing' } }, before])
})

test('an answer that comes after a pause changes nothing', () => {
  const { view, report, send, commands } = reversing()
  report({ type: 'engine.startReached', at: second.from })
  send({ type: 'pause.requested' })
  const before = commands.length
  send(precedes(second.from, first))
  expect([view(), commands.length]).toEqual([{ archive: 'inFragment' }, before])
})

test('the end of the archive plays backwards, too', () => {
  const { view, report, send, requests, loads } = startPlayer({ stream: gone })
  send(picked(first.from, first, null))
  report({ type: 'engine.loaded', from: first.from, to: first.to }, { type: 'engine.played' })
  report({ type: 'engine.ended', at: first.to })
  send(picked(first.to, gap, null), { type: 'reverse.requested', rate: -1 })
  expect([view(), requests().at(-1)]).toEqual([
    { archive: { reversing: 'searching' } },
    { type: 'timeline.previousRequested', before: first.to, isPartial: true },
  ])
  send(precedes(first.to, first))
  expect([view(), loads().length]).toEqual([{ archive: { reversing: 'showing' } }, 1])
})
