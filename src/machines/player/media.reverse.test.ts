import { expect, test } from 'vitest'
import { archive, startMedia } from '../../../tests/machines/media.ts'
import type { MediaEvent } from './media.events.ts'

const offered: MediaEvent = { type: 'media.offered', offer: { renditions: ['main', 'sub'], codec: 'avc1' } }
const loaded: MediaEvent = { type: 'engine.loaded', from: 1000, to: 9000 }
const backwards: MediaEvent = { type: 'media.rateChosen', rate: -1 }

test('backward playback uses the substream, and the main stream again afterwards', () => {
  const { send, commands, snapshot } = startMedia()
  send(offered, { type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.played' }, backwards)
  expect(commands.at(-1)).toEqual({
    type: 'controller.change',
    source: { ...archive, rendition: 'sub' },
    isPlaying: true,
    rate: -1,
  })
  expect(snapshot().context.chosen.reason).toBe('reverse')
  send(loaded, { type: 'media.rateChosen', rate: 1 })
  expect(commands.at(-1)).toMatchObject({ type: 'controller.change', source: archive, rate: 1 })
})

test('it seeks to the end of a range that is loaded, and loads an earlier one, to play it from its end', () => {
  const { send, commands, snapshot } = startMedia()
  send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.played' }, backwards)
  send({ type: 'media.loadRequested', source: { ...archive, from: 2000, to: 6000 } })
  expect(commands.at(-1)).toEqual({ type: 'controller.seek', at: 6000 })
  const earlier = { ...archive, from: 0, to: 1000 }
  send({ type: 'media.loadRequested', source: earlier })
  expect(commands.at(-1)).toEqual({ type: 'controller.load', source: earlier, isPlaying: true, rate: -1 })
  expect(snapshot().context.requestedAt).toBe(1000)
})

test('reports when it reaches the start of the loaded range', () => {
  const { send, received } = startMedia()
  send({ type: 'media.loadRequested', source: archive }, loaded, backwards, { type: 'engine.startReached', at: 1000 })
  expect(received.at(-1)).toEqual({ type: 'media.startReached', at: 1000 })
})

test('after an interruption it plays on backwards from the last frame', () => {
  const { send, commands, clock } = startMedia()
  send({ type: 'media.loadRequested', source: archive }, loaded, { type: 'engine.played' }, backwards)
  send({ type: 'engine.failed', failure: 'network', at: 4000 })
  clock.increment(1000)
  expect(commands.at(-1)).toEqual({
    type: 'controller.load',
    source: { ...archive, to: 4000 },
    isPlaying: true,
    rate: -1,
  })
  send({ type: 'engine.failed', failure: 'network', at: 1000 })
  clock.increment(2000)
  expect(commands.at(-1)).toMatchObject({ source: { ...archive, to: 2000 } })
})
