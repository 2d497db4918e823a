import { describe, expect, test } from 'vitest'
import { streamOf } from '../../../tests/fixtures/replies.ts'
import { mainOnly, offerOf, renditionFor, type Situation } from './rendition.ts'

const wide = { width: 1200, viewportWidth: 1600, isFull: false }
const usual: Situation = {
  offered: ['main', 'sub', 'compatible'],
  refused: [],
  kind: 'archive',
  rate: 1,
  box: wide,
  isMagnified: false,
  before: mainOnly,
}
const small = { ...wide, width: 639 }
const phone = { width: 390, viewportWidth: 390, isFull: false }
const wasSmall = { rendition: 'sub', reason: 'small' } as const

describe('the rendition that is played', () => {
  test.each<[string, Partial<Situation>, string]>([
    ['a server that says nothing of renditions', { offered: [], box: small, rate: 16 }, 'main only'],
    ['and a browser that plays nothing of it', { offered: [], refused: ['main'] }, 'main only'],
    ['a stream without a substream', { offered: ['main'], box: small, rate: 16 }, 'main only'],
    ['a large picture', {}, 'main large'],
    ['a picture without a size yet', { box: null }, 'main large'],
    ['639 px', { box: small }, 'sub small'],
    ['640 px', { box: { ...wide, width: 640 } }, 'main large'],
    ['640 px that was small', { box: { ...wide, width: 640 }, before: wasSmall }, 'sub small'],
    ['679 px that was small', { box: { ...wide, width: 679 }, before: wasSmall }, 'sub small'],
    ['680 px that was small', { box: { ...wide, width: 680 }, before: wasSmall }, 'main large'],
    ['a phone', { box: phone }, 'sub phone'],
    ['a window of 614 px', { box: { ...phone, viewportWidth: 614 } }, 'sub phone'],
    ['a phone that the picture fills', { box: { ...phone, isFull: true } }, 'main full'],
    ['a phone that magnifies', { box: phone, isMagnified: true }, 'main magnified'],
    ['2×', { rate: 2 }, 'main large'],
    ['4×', { rate: 4 }, 'sub fast'],
    ['16× that fills the screen', { rate: 16, box: { ...wide, isFull: true } }, 'sub fast'],
    ['16× magnified', { rate: 16, isMagnified: true }, 'main magnified'],
    ['live that catches up', { rate: 16, kind: 'live' }, 'main large'],
    ['a browser that cannot play main', { refused: ['main'] }, 'sub codec'],
    ['nor sub', { refused: ['main', 'sub'] }, 'compatible codec'],
    ['a small picture of a browser that cannot play sub', { refused: ['sub'], box: small }, 'main only'],
    ['main refused without a substream', { offered: ['main', 'compatible'], refused: ['main'] }, 'compatible codec'],
    ['main refused, magnified', { refused: ['main', 'sub'], isMagnified: true }, 'compatible codec'],
    ['nothing playable', { refused: ['main', 'sub', 'compatible'] }, 'main only'],
  ])('%s', (_, given, expected) => {
    const { rendition, reason } = renditionFor({ ...usual, ...given })
    expect(`${rendition} ${reason}`).toBe(expected)
  })
})

test('the renditions and codec of a stream', () => {
  const video = { codec: 'hvc1.1.6.L93.B0', width: 1920, height: 1080, fps: 25 }
  expect([
    offerOf(streamOf({})),
    offerOf(streamOf({ renditions: ['main', 'sub'], video })),
    offerOf(
      streamOf({
        tracks: [
          { type: 'audio', codec: 'aac' },
          { type: 'video', codec: 'hevc' },
        ],
      }),
    ),
  ]).toEqual([
    { renditions: [], codec: '' },
    { renditions: ['main', 'sub'], codec: 'hvc1.1.6.L93.B0' },
    { renditions: [], codec: 'hevc' },
  ])
})
