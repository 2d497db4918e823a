import { describe, expect, test } from 'vitest'
import { addressAt, first, gap, hour, now, picked, second, startPlayer } from '../../../tests/machines/player.ts'
import { liveAddress, type PlayerAddress } from './address.ts'

describe('the address', () => {
  const watching = (at: number, given: Partial<PlayerAddress> = {}) => {
    const player = startPlayer({ address: addressAt(at, given) })
    player.send(picked(at, first, null))
    player.report({ type: 'engine.loaded', from: at, to: first.to }, { type: 'engine.played' })
    return player
  }

  test("a jump adds a history entry, arriving at the requested moment doesn't", () => {
    const { send, writes } = startPlayer({ address: addressAt(gap.from) })
    send(picked(gap.from, gap, second))
    expect(writes).toEqual([['changed', addressAt(second.from)]])
    send(picked(first.from, first, null), { type: 'live.requested' })
    expect(writes.slice(1)).toEqual([
      ['arrived', addressAt(first.from)],
      ['arrived', liveAddress],
    ])
  })

  test('it follows playback, also into the next fragment', () => {
    const { send, report, writes } = watching(first.from)
    writes.length = 0
    send({ type: 'clock.ticked', now: now + 1000, playhead: first.from + 1000 })
    report({ type: 'engine.ended', at: first.to })
    send(picked(first.to, gap, second))
    expect(writes).toEqual([
      ['advanced', addressAt(first.from + 1000)],
      ['changed', addressAt(second.from)],
    ])
  })

  test('an address written by the player changes nothing', () => {
    const { send, requests, commands, writes } = watching(first.from)
    send(
      { type: 'speed.chosen', rate: 4 },
      { type: 'timeline.spanChanged', span: hour },
      { type: 'selection.changed', selection: { from: first.from, to: first.to } },
    )
    const before = [requests().length, commands.length]
    const written = writes.at(-1)?.[1] ?? liveAddress
    expect(written).toEqual(
      addressAt(first.from, { speed: 4, span: hour, selection: { from: first.from, to: first.to } }),
    )
    send({ type: 'address.moved', address: written })
    expect([requests().length, commands.length]).toEqual(before)
  })

  test('going back leads to the moment, the speed, the span and the selection of then', () => {
    const { send, requests, commands, snapshot } = watching(first.from)
    const then = addressAt(first.from + 7000, {
      speed: 2,
      span: hour,
      selection: { from: first.from, to: first.from + 60_000 },
      isLooping: true,
    })
    send({ type: 'address.moved', address: then })
    expect(requests().at(-1)).toEqual({ type: 'timeline.pickRequested', at: first.from + 7000 })
    expect(commands).toContainEqual({ type: 'controller.setRate', rate: 2 })
    expect(commands.at(-1)).toEqual({ type: 'controller.setLoop', loop: then.selection })
    send(picked(first.from + 7000, first, null))
    expect(snapshot().context.address).toEqual(then)
    send({ type: 'address.moved', address: liveAddress })
    expect([snapshot().value.view, snapshot().context.address]).toEqual([{ live: 'watching' }, liveAddress])
  })

  test('the default span is left out', () => {
    const { send, writes } = startPlayer()
    send({ type: 'timeline.spanChanged', span: hour }, { type: 'timeline.spanChanged', span: 23 * hour })
    expect(writes.map(([, { span }]) => span)).toEqual([hour, null])
  })
})

describe('a loop', () => {
  const selection = { from: first.from + 1000, to: first.from + 61_000 }
  const looping = (given: Partial<PlayerAddress> = {}) => {
    const player = startPlayer({ address: addressAt(first.from, { selection, ...given }) })
    player.send(picked(first.from, first, null))
    player.report({ type: 'engine.loaded', from: first.from, to: first.to }, { type: 'engine.played' })
    player.send({ type: 'loop.toggled' })
    return player
  }

  test('needs a selection', () => {
    const { send, snapshot } = startPlayer()
    send({ type: 'loop.toggled' })
    expect(snapshot().context.address.isLooping).toBe(false)
  })

  test('jumps to its start from outside, and the media controller repeats it', () => {
    const { commands, requests } = looping()
    expect(commands).toContainEqual({ type: 'controller.setLoop', loop: selection })
    expect(requests().at(-1)).toEqual({ type: 'timeline.pickRequested', at: selection.from })
  })

  test("starts over if the media controller can't, and if its recording ends early", () => {
    const { send, report, requests, view, snapshot } = looping()
    send(picked(selection.from, first, null))
    report({ type: 'engine.loopEnded' })
    expect(requests().at(-1)).toEqual({ type: 'timeline.pickRequested', at: selection.from })
    report({ type: 'engine.ended', at: first.from + 30_000 })
    send({ type: 'timeline.nextFound', after: first.from + 30_000, next: second })
    expect([view(), requests().at(-1)]).toEqual([
      { archive: 'inGap' },
      { type: 'timeline.pickRequested', at: selection.from },
    ])
    send(picked(selection.from, first, null))
    expect([view(), snapshot().context.address.isLooping]).toEqual([{ archive: 'inFragment' }, true])
  })

  test('starting over adds no history entry, a moment that is picked then does', () => {
    const { send, report, writes } = looping()
    send(picked(selection.from, first, null))
    writes.length = 0
    report({ type: 'engine.loopEnded' })
    send(picked(selection.from, first, null))
    report({ type: 'engine.loopEnded' })
    send({ type: 'moment.requested', at: selection.from + 1000 }, picked(selection.from + 1000, first, null))
    expect(writes.map(([change, { at }]) => [change, at])).toEqual([
      ['changed', selection.from],
      ['arrived', selection.from + 1000],
    ])
  })

  test('without a recording ends, and playback continues after it', () => {
    const { send, report, view, snapshot } = looping()
    report({ type: 'engine.ended', at: first.from + 30_000 })
    send(picked(selection.from, gap, second))
    expect([view(), snapshot().context.address.isLooping]).toEqual([{ archive: 'inFragment' }, false])
  })

  test('ends when the user leaves it, goes live or clears the selection', () => {
    const away = looping()
    away.send(picked(first.to - 1000, first, null))
    expect([away.commands.at(-2), away.snapshot().context.address.isLooping]).toEqual([
      { type: 'controller.setLoop', loop: null },
      false,
    ])
    const live = looping()
    live.send({ type: 'live.requested' })
    expect(live.snapshot().context.address).toEqual(addressAt(null, { selection }))
    const cleared = looping()
    cleared.send({ type: 'selection.changed', selection: null })
    expect(cleared.snapshot().context.address).toEqual(addressAt(first.from))
  })
})
