import { createActor, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { syncPlaybackMachine } from '../../machines/mosaics/sync-playback.machine.ts'
import { liveAddress, type PlayerAddress } from '../../machines/player/address.ts'
import { syncPlaybackKey } from './sync-playback-keys.ts'

const now = Date.UTC(2026, 10, 21, 12)
const at = now - 3_600_000

function open(address: PlayerAddress = { ...liveAddress, at }) {
  const clock = new SimulatedClock()
  const actor = createActor(syncPlaybackMachine, {
    clock,
    input: { slots: [], limits: { rangesMaxSeconds: 3600, playlistMaxSeconds: 3600 }, now, zone: 'UTC', address },
  }).start()
  clock.increment(1000)
  const press = (key: string) => syncPlaybackKey(actor, key, () => at)?.()
  const shown = () => {
    const { value, context } = actor.getSnapshot()
    return [value, context.at, context.reverse ?? context.rate]
  }
  const marks = () => actor.getSnapshot().context.marks
  return { press, shown, clock, marks }
}

test('L plays, then plays faster, as in the player; J and the arrows seek; G goes live', () => {
  const { press, shown, clock } = open()
  press('l')
  expect(shown()).toEqual([{ archive: 'playing' }, at, 2])
  press('L')
  expect(shown()).toEqual([{ archive: 'playing' }, at, 4])
  press('j')
  clock.increment(1000)
  expect(shown()).toEqual([{ archive: 'playing' }, at - 10_000, 4])
  press('.')
  press('l')
  clock.increment(1000)
  expect(shown().slice(0, 1)).toEqual([{ archive: 'playing' }])
  press('g')
  expect(shown()).toEqual([{ live: 'watching' }, null, 1])
})

test('< plays backwards, then faster, from a pause at 1×; L goes the other way', () => {
  const { press, shown } = open()
  press('<')
  press('<')
  expect(shown()).toEqual([{ archive: { reversing: 'showing' } }, at, -2])
  press('L')
  expect(shown()).toEqual([{ archive: { reversing: 'showing' } }, at, -1])
  press('>')
  expect(shown()[0]).toEqual({ archive: { reversing: 'turning' } })
  const paused = open()
  paused.press('L')
  paused.press('.')
  paused.press('<')
  expect(paused.shown()).toEqual([{ archive: { reversing: 'showing' } }, at, -1])
})

test('I and O mark, in live too', () => {
  const { press, marks } = open()
  press('i')
  press('o')
  const live = open({ ...liveAddress, at: null })
  live.press('i')
  expect([marks(), live.marks()]).toEqual([
    { from: null, to: at },
    { from: at, to: null },
  ])
})

test('while all is live only J, [ and the marks have a meaning', () => {
  const { press, shown } = open({ ...liveAddress, at: null })
  for (const key of ['l', 'g', '.', ']', 'ArrowRight']) press(key)
  expect(shown()).toEqual([{ live: 'watching' }, null, 1])
  press('j')
  expect(shown()).toEqual([{ archive: 'seeking' }, at - 10_000, 1])
})
