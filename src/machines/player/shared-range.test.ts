import { describe, expect, test } from 'vitest'
import { addressAt, hour, now, picked, startPlayer, stream } from '../../../tests/machines/player.ts'
import { within } from '../timeline/timeline-geometry.ts'
import { hasSameSharedRange, openedWithin, sharedRangeOf } from './shared-range.ts'

const range = { from: now - 6 * hour, to: now - 5 * hour }
const times = { startTime: range.from, endTime: range.to }
const meta = { ...stream.meta, canAdmin: false, canViewArchive: true }
const sharedOf = (live: boolean) => ({ ...stream, meta, sharedRange: { ...times, live } })
const only = sharedOf(false)

test('the player is limited for visitors of a share, not for who may administer the stream', () => {
  expect(sharedRangeOf(only)).toEqual({ ...range, hasLive: false })
  expect([null, stream, { ...only, meta: { ...meta, canAdmin: true } }].map(sharedRangeOf)).toEqual([null, null, null])
  expect([hasSameSharedRange(only, sharedOf(true)), hasSameSharedRange(only, { ...only, viewers: 3 })]).toEqual([
    false,
    true,
  ])
})

test('it opens at the moment of the address if that is shared, else at the start of the range', () => {
  const opened = (at: number | null) => openedWithin(addressAt(at), range).at
  expect([null, range.from + 1, range.to, now].map(opened)).toEqual([
    range.from,
    range.from + 1,
    range.from,
    range.from,
  ])
  expect(openedWithin(addressAt(null), null).at).toBe(null)
})

describe('a player of a shared range', () => {
  const open = (shared: typeof only) => {
    const player = startPlayer({ stream: shared, address: addressAt(range.from) })
    const timeline = () => player.snapshot().children.timeline
    return { ...player, timeline }
  }

  test('has a timeline that ends with the range and shows nothing beyond it', () => {
    const { send, timeline } = open(only)
    send({ type: 'clock.ticked', now: now + 1000, playhead: range.from })
    const shown = () => timeline()?.getSnapshot().context
    expect(shown()).toMatchObject({ period: range, live: { available: false, now: range.to } })
    timeline()?.send({ type: 'timeline.zoomedOut' })
    timeline()?.send({ type: 'timeline.movedLater' })
    timeline()?.send({ type: 'timeline.centred', at: now })
    expect(shown()?.period).toEqual(range)
  })

  test('never goes live, unless the share has live', () => {
    const { send, view } = open(only)
    const before = view()
    send({ type: 'live.requested' })
    send({ type: 'address.moved', address: addressAt(null) })
    expect(view()).toEqual(before)
    const both = open(sharedOf(true))
    both.send({ type: 'live.requested' })
    expect(both.view()).toEqual({ live: 'watching' })
  })

  test('stays at its moment if the address requests live; the next jump adds a history entry', () => {
    const { send, writes } = open(only)
    const fragment = { type: 'fragment', ...range } as const
    send(picked(range.from, fragment, null))
    send({ type: 'address.moved', address: addressAt(null) }, picked(range.from + 1000, fragment, null))
    expect(writes.map(([change]) => change)).toEqual(['changed', 'arrived'])
  })

  test('ends with the range', () => {
    const { send, view } = open(sharedOf(true))
    send({ type: 'timeline.picked', at: range.from, interval: { type: 'gap', ...range }, nextFragment: null })
    expect(view()).toEqual({ archive: 'atEnd' })
  })
})

test('a period is moved into its bounds, no longer than they are; shorter bounds are in its middle', () => {
  const minute = 60_000
  const bounds = { from: 100 * minute, to: 200 * minute }
  const moved = (from: number, to: number) => {
    const period = within({ from: from * minute, to: to * minute }, bounds)
    return [period.from / minute, period.to / minute]
  }
  expect([moved(110, 150), moved(90, 130), moved(190, 230), moved(0, 500)]).toEqual([
    [110, 150],
    [100, 140],
    [160, 200],
    [100, 200],
  ])
  expect(within(bounds, { from: 150 * minute, to: 151 * minute })).toEqual({ from: 148 * minute, to: 153 * minute })
  expect(within(bounds, null)).toBe(bounds)
})
