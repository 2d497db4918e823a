import { describe, expect, test } from 'vitest'
import { archive, live, startMedia } from '../../../tests/machines/media.ts'
import type { MediaEvent } from './media.events.ts'
import { selectMainCodec, selectRendition, selectRenditionReason } from './player.selectors.ts'

const offered = (...renditions: string[]): MediaEvent => ({
  type: 'media.offered',
  offer: { renditions, codec: 'avc1.42c01e' },
})
/** The same of a stream that doesn't run. */
const offeredAtRest: MediaEvent = {
  type: 'media.offered',
  offer: { renditions: ['main', 'sub', 'compatible'], codec: '' },
}
const resized = (width: number): MediaEvent => ({ type: 'picture.resized', width, viewportWidth: 1920, isFull: false })
const loaded: MediaEvent = { type: 'engine.loaded', from: 1000, to: 9000 }
const played: MediaEvent = { type: 'engine.played' }
const codecFails = (codec: string): MediaEvent => ({ type: 'engine.failed', failure: 'codec', at: null, codec })

function watch(...before: MediaEvent[]) {
  const media = startMedia()
  media.send(...before)
  const loads = () =>
    media.commands.splice(0).flatMap((command) => {
      if (command.type !== 'controller.load' && command.type !== 'controller.change') return []
      const way = command.type === 'controller.load' ? 'load' : 'change to'
      return [
        `${way} ${command.source.rendition ?? 'main'} of ${command.source.kind}, ${command.isPlaying} ${command.rate}`,
      ]
    })
  const after = (...events: MediaEvent[]) => {
    media.send(...events)
    return loads()
  }
  loads()
  return { ...media, after }
}

describe('renditions', () => {
  test('a small picture loads the substream at once, and the main stream when it grows', () => {
    const { after } = watch(offered('main', 'sub'), resized(480))
    expect([
      after({ type: 'media.loadRequested', source: live }),
      after(loaded, played, resized(1280)),
      after(loaded, resized(660)),
      after(resized(600)),
      after(loaded, resized(660)),
    ]).toEqual([
      ['load sub of live, true 1'],
      ['change to main of live, true 1'],
      [],
      ['change to sub of live, true 1'],
      [],
    ])
  })

  test('a server that announces no renditions is asked for none', () => {
    const { after, commands } = watch(resized(480))
    after({ type: 'media.rateChosen', rate: 8 })
    commands.length = 0
    const { send, snapshot } = startMedia()
    send(resized(480), { type: 'media.loadRequested', source: archive })
    expect(snapshot().context.chosen).toEqual({ rendition: 'main', reason: 'only' })
    expect(selectRendition(snapshot())).toBeNull()
    expect(after({ type: 'media.loadRequested', source: archive })).toEqual(['load main of archive, true 8'])
  })

  test('fast playback loads the substream, magnifying the main stream; moment, speed and pause stay', () => {
    const { after, send, snapshot } = watch(offered('main', 'sub'), resized(1280))
    after({ type: 'media.loadRequested', source: archive }, loaded, played)
    expect(after({ type: 'media.rateChosen', rate: 4 })).toEqual(['change to sub of archive, true 4'])
    expect([snapshot().value, selectRenditionReason(snapshot())]).toEqual(['switching', 'fast'])
    send(loaded, played, { type: 'media.pauseRequested' }, { type: 'engine.paused' })
    expect(after({ type: 'media.magnified', isMagnified: true })).toEqual(['change to main of archive, false 4'])
    expect(after({ type: 'media.magnified', isMagnified: false })).toEqual(['change to sub of archive, false 4'])
    expect(after({ type: 'media.rateChosen', rate: 1 })).toEqual(['change to main of archive, false 1'])
  })

  test('tiles with a shared clock use its rate, backwards too', () => {
    const { after, snapshot } = watch(offered('main', 'sub'), resized(1280))
    after({ type: 'media.loadRequested', source: archive }, loaded)
    expect(after({ type: 'media.sharedRateChanged', rate: 4 })).toEqual(['change to sub of archive, true 1'])
    expect(after(loaded, { type: 'media.sharedRateChanged', rate: 2 })).toEqual(['change to main of archive, true 1'])
    expect(after(loaded, { type: 'media.sharedRateChanged', rate: -1 })).toEqual(['change to sub of archive, true 1'])
    expect(selectRenditionReason(snapshot())).toBe('reverse')
  })

  test('a paused live picture is switched when it resumes', () => {
    const { after } = watch(offered('main', 'sub'), resized(480), { type: 'media.loadRequested', source: live }, loaded)
    expect(after({ type: 'media.pauseRequested' }, resized(1280))).toEqual([])
    expect(after({ type: 'media.playRequested' })).toEqual(['change to main of live, true 1'])
  })

  test('a rendition that turns out to be unplayable is replaced by the next, and not tried again', () => {
    const { after, snapshot } = watch(offeredAtRest, resized(1280))
    after({ type: 'media.loadRequested', source: archive })
    expect(after(codecFails('H.265'))).toEqual(['load sub of archive, true 1'])
    expect(after(codecFails('H.265'))).toEqual(['load compatible of archive, true 1'])
    expect(after(loaded, resized(300), offeredAtRest)).toEqual([])
    expect(after({ type: 'media.loadRequested', source: { ...archive, from: 20_000, to: 30_000 } })).toEqual([
      'load compatible of archive, true 1',
    ])
    expect(snapshot().context.refusedCodec).toBe('H.265')
    expect(after({ type: 'media.loadRequested', source: live })).toEqual(['load sub of live, true 1'])
  })

  test('what the archive has in an older codec is refused only there, if the browser can play the codec of live', () => {
    const { after, snapshot } = watch(offered('main', 'compatible'))
    after({ type: 'media.loadRequested', source: archive })
    expect(after(codecFails('H.265'))).toEqual(['load compatible of archive, true 1'])
    expect([selectMainCodec(snapshot()), selectRenditionReason(snapshot())]).toEqual(['H.265', 'codec'])
    const later = { ...archive, from: 20_000, to: 30_000 }
    expect(after(loaded, { type: 'media.loadRequested', source: later })).toEqual(['load main of archive, true 1'])
    expect([selectMainCodec(snapshot()), selectRendition(snapshot())]).toEqual(['H.264', 'main'])
    expect(after(codecFails('H.265'))).toEqual(['load compatible of archive, true 1'])
    expect(selectMainCodec(snapshot())).toBe('H.265')
  })

  test('a stream without a playable rendition says so, until it offers one', () => {
    const { after, snapshot } = watch(offered('main'), { type: 'media.loadRequested', source: live })
    expect(after(codecFails('H.265'))).toEqual([])
    expect(snapshot().value).toBe('unplayable')
    expect(after({ type: 'media.retried' })).toEqual(['load main of live, true 1'])
    expect(after(codecFails('H.265'))).toEqual([])
    expect(after(offered('main', 'compatible'))).toEqual(['load compatible of live, true 1'])
  })

  test('a stream whose only rendition has another codec since it was refused is tried again, once', () => {
    const { after, snapshot } = watch(offered('main'), { type: 'media.loadRequested', source: live })
    after(codecFails('H.265'))
    const changed: MediaEvent = { type: 'media.offered', offer: { renditions: ['main'], codec: 'avc1.4d401f' } }
    expect(after(changed)).toEqual(['load main of live, true 1'])
    expect(after(codecFails('H.264'), changed)).toEqual([])
    // The codec of a stream that doesn't run isn't known.
    expect(after({ type: 'media.offered', offer: { renditions: ['main'], codec: '' } })).toEqual([])
    expect(snapshot().value).toBe('unplayable')
  })
})
