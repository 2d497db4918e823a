import { describe, expect, test } from 'vitest'
import { retryPauseMs } from './media.failure.ts'
import { archive, live, startMedia } from '../../../tests/machines/media.ts'
import type { MediaEvent } from './media.events.ts'

const loaded: MediaEvent = { type: 'engine.loaded', from: 1000, to: 9000 }

describe('media', () => {
  test('starts with the stored sound', () => {
    expect(startMedia().commands).toEqual([{ type: 'controller.setSound', volume: 0.8, isMuted: false }])
  })

  test('follows what the engine reports, not what was requested', () => {
    const { send, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: live }, loaded)
    expect(snapshot().value).toEqual({ ready: 'resting' })
    send({ type: 'engine.played' })
    expect(snapshot().value).toEqual({ ready: { running: 'playing' } })
    send({ type: 'media.pauseRequested' })
    expect(snapshot().value).toEqual({ ready: { running: 'playing' } })
    send({ type: 'engine.paused' })
    expect(snapshot().value).toEqual({ ready: 'resting' })
  })

  test('it seeks to a moment that is loaded, and loads any other', () => {
    const { send, commands } = startMedia()
    send({ type: 'media.loadRequested', source: archive }, loaded)
    commands.length = 0
    send({ type: 'media.loadRequested', source: { ...archive, from: 5000, to: 20_000 } })
    send({ type: 'media.loadRequested', source: { ...archive, from: 9000, to: 20_000 } })
    expect(commands).toEqual([
      { type: 'controller.seek', at: 5000 },
      { type: 'controller.load', source: { ...archive, from: 9000, to: 20_000 }, isPlaying: true, rate: 1 },
    ])
  })

  test('going live resets the speed to 1 (docs/behaviour.md §7)', () => {
    const { send, commands, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'media.rateChosen', rate: 8 })
    expect(snapshot().context.rate).toBe(8)
    send({ type: 'media.loadRequested', source: live })
    expect(commands.at(-1)).toEqual({ type: 'controller.load', source: live, isPlaying: true, rate: 1 })
    expect(snapshot().context.rate).toBe(1)
    send({ type: 'engine.loaded', from: 0, to: 0 }, { type: 'media.rateChosen', rate: 0.5 })
    send({ type: 'media.loadRequested', source: live })
    expect(commands.slice(-2)).toEqual([{ type: 'controller.setRate', rate: 1 }, { type: 'controller.play' }])
    expect(snapshot().context.rate).toBe(1)
  })

  test('an interruption unloads, waits longer each time, and resumes the archive at the same moment', () => {
    const { send, clock, commands, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.played' })
    send({ type: 'engine.failed', failure: 'network', at: 4321 })
    expect(commands.at(-1)).toEqual({ type: 'controller.unload' })
    clock.increment(1000)
    expect(commands.at(-1)).toEqual({
      type: 'controller.load',
      source: { ...archive, from: 4321 },
      isPlaying: true,
      rate: 1,
    })
    send({ type: 'engine.failed', failure: 'network', at: null })
    clock.increment(1999)
    expect(snapshot().value).toBe('interrupted')
    clock.increment(1)
    expect({ value: snapshot().value, requestedAt: snapshot().context.requestedAt }).toEqual({
      value: 'loading',
      requestedAt: 4321,
    })
  })

  test('after the Retry-After of a busy server it loads again; the next pause is its own', () => {
    const { send, clock, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: live })
    send({ type: 'engine.failed', failure: 'busy', at: null, retryAfterSeconds: 10 })
    clock.increment(9999)
    expect(snapshot().value).toBe('interrupted')
    clock.increment(1)
    expect(snapshot().value).toBe('loading')
    send({ type: 'engine.failed', failure: 'server', at: null })
    clock.increment(2000)
    expect(snapshot().value).toBe('loading')
  })

  test('stalled live playback is loaded again when its stream runs again; an archive waits for its data', () => {
    const { send, commands, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: live }, loaded, { type: 'engine.played' }, { type: 'engine.stalled' })
    commands.length = 0
    send({ type: 'media.retried' })
    expect([snapshot().value, snapshot().context.lastFrameAt]).toEqual(['loading', loaded.to])
    expect(commands).toEqual([{ type: 'controller.load', source: live, isPlaying: true, rate: 1 }])
    send(
      { type: 'media.loadRequested', source: archive },
      loaded,
      { type: 'engine.played' },
      { type: 'engine.stalled' },
      { type: 'media.retried' },
    )
    expect(snapshot().value).toEqual({ ready: { running: 'stalled' } })
  })

  test('a live picture that stalls or is interrupted is lost once, with the moment of its last frame', () => {
    const { send, received, clock, snapshot } = startMedia()
    const loss = () => [snapshot().context.picture, snapshot().context.lastFrameAt, received.filter(isLoss).length]
    const isLoss = ({ type }: { type: string }) => type === 'media.lost'
    send({ type: 'media.loadRequested', source: live }, loaded, { type: 'engine.played' }, { type: 'engine.stalled' })
    clock.increment(1400)
    send({ type: 'engine.played' }, { type: 'engine.stalled' })
    clock.increment(1400)
    expect(loss()).toEqual(['shown', null, 0])
    clock.increment(100)
    expect(loss()).toEqual(['lost', null, 1])
    send({ type: 'engine.failed', failure: 'stalled', at: 4321 })
    expect(loss()).toEqual(['lost', 4321, 1])
    clock.increment(1000)
    send({ type: 'engine.failed', failure: 'network', at: null })
    expect(loss()).toEqual(['lost', 4321, 1])
    clock.increment(2000)
    send(loaded)
    expect(loss()).toEqual(['shown', null, 1])
    send({ type: 'media.lossReported' }, { type: 'media.unloadRequested' })
    expect(loss()).toEqual(['lost', loaded.to, 2])
  })

  test('a live picture that was lost, paused and plays again is shown, and may be lost again', () => {
    const { send, received, clock, snapshot } = startMedia()
    const loss = () => [snapshot().context.picture, received.filter(({ type }) => type === 'media.lost').length]
    send({ type: 'media.loadRequested', source: live }, loaded, { type: 'engine.played' }, { type: 'engine.stalled' })
    clock.increment(1500)
    send({ type: 'engine.paused' })
    expect(loss()).toEqual(['lost', 1])
    send({ type: 'engine.played' })
    expect(loss()).toEqual(['shown', 1])
    send({ type: 'engine.stalled' })
    clock.increment(1500)
    expect(loss()).toEqual(['lost', 2])
  })

  test("a picture that was never on the screen, and the archive, don't count as lost", () => {
    const { send, received, clock } = startMedia()
    send({ type: 'media.loadRequested', source: live }, { type: 'engine.failed', failure: 'server', at: null })
    send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.played' })
    send({ type: 'engine.stalled' })
    clock.increment(1500)
    send({ type: 'engine.failed', failure: 'stalled', at: 4321 })
    expect(received.filter(({ type }) => type === 'media.lost')).toEqual([])
  })

  test("playing for a while resets the attempts; loading alone doesn't", () => {
    const { send, clock, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: live }, { type: 'engine.failed', failure: 'server', at: null })
    clock.increment(1000)
    send(loaded, { type: 'engine.played' })
    expect(snapshot().context.attempts).toBe(1)
    clock.increment(10_000)
    expect(snapshot().context.attempts).toBe(0)
  })

  test("a failure that waiting can't cure stays until another source is requested", () => {
    const { send, clock, snapshot } = startMedia()
    send(
      { type: 'media.loadRequested', source: live },
      { type: 'engine.failed', failure: 'codec', at: null, codec: 'H.265' },
    )
    clock.increment(600_000)
    expect(snapshot().value).toBe('unplayable')
    expect(snapshot().context.refusedCodec).toBe('H.265')
    send({ type: 'media.loadRequested', source: archive }, { type: 'engine.failed', failure: 'forbidden', at: null })
    clock.increment(600_000)
    expect(snapshot().value).toBe('forbidden')
    expect(snapshot().context.refusedCodec).toBeNull()
    send({ type: 'media.retried' })
    expect(snapshot().value).toBe('loading')
  })

  test('reports when playback runs and rests, except for stalls', () => {
    const { send, received } = startMedia()
    send(
      { type: 'media.loadRequested', source: live },
      loaded,
      { type: 'engine.played' },
      { type: 'engine.stalled' },
      { type: 'engine.played' },
      { type: 'engine.paused' },
    )
    expect(received).toEqual([
      { type: 'media.waiting', at: null },
      { type: 'media.settled' },
      { type: 'media.running', kind: 'live' },
      { type: 'media.resting' },
    ])
  })

  test('a live stream that ends is an interruption, an archive that ends is reported', () => {
    const { send, received, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.ended', at: 9000 })
    expect(received.at(-1)).toEqual({ type: 'media.ended', at: 9000, to: archive.to })
    send({ type: 'media.loadRequested', source: live }, loaded, { type: 'engine.ended', at: 9000 })
    expect(snapshot().value).toBe('interrupted')
  })

  test('a browser that blocks playback rests, and plays after a press', () => {
    const { send, commands, snapshot } = startMedia()
    send({ type: 'media.loadRequested', source: live }, { type: 'engine.blocked' }, loaded)
    expect(snapshot().value).toEqual({ ready: 'resting' })
    expect(commands.at(-1)).toEqual({ type: 'controller.pause' })
    send({ type: 'media.playRequested' }, { type: 'engine.played' })
    expect(snapshot().value).toEqual({ ready: { running: 'playing' } })
    expect(commands.at(-1)).toEqual({ type: 'controller.play' })
  })

  test('a browser that blocks sound is unmuted by the first press', () => {
    const { send, commands } = startMedia()
    send({ type: 'engine.silenced' }, { type: 'media.muteToggled' })
    expect(commands.at(-1)).toEqual({ type: 'controller.setSound', volume: 0.8, isMuted: false })
    send({ type: 'media.volumeChosen', volume: 0 })
    send({ type: 'media.muteToggled' })
    expect(commands.slice(-2)).toEqual([
      { type: 'controller.setSound', volume: 0, isMuted: true },
      { type: 'controller.setSound', volume: 0.5, isMuted: false },
    ])
  })
})

test('pauses grow to ten seconds, and are at least the server’s Retry-After', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 20].map((attempts) => retryPauseMs(attempts, null))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
  expect([retryPauseMs(1, null, 0.75), retryPauseMs(1, 30, 0.75), retryPauseMs(6, 2, 1.25)]).toEqual([
    750, 30_000, 12_500,
  ])
})
