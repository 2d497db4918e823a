// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { noWords } from '../../../tests/views/band-words.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { type BandWords, describeEveryMs, runBand, whatIsAt } from './band-loop.ts'

vi.mock('./surface.ts', () => ({ watchSurface: () => ({ surface: () => ({ width: 100 }), stop: () => undefined }) }))
vi.mock('./paint-band.ts', () => ({ paintBand: () => undefined }))
vi.mock('./canvas-colours.ts', () => ({ readColours: () => ({}), watchAppearance: () => () => undefined }))

const now = Date.UTC(2026, 10, 21, 12)
const at = now - 3_600_000
const words: BandWords = { ...noWords, describe: (context, moment) => whatIsAt(context, moment, 1000).type }

test('an annotation of several days is found under the pointer on each of them', () => {
  const day = 24 * 3_600_000
  const input = { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC' }
  const { context } = createActor(timelineMachine, { input }).getSnapshot()
  const annotations = [
    { type: 'maintenance', from: at - 3 * day, to: at + day, isEvent: false },
    { type: 'event', from: at - 2 * day, to: at - day, isEvent: true },
  ]
  expect(whatIsAt({ ...context, annotations }, at, 1000).annotations).toEqual([annotations[0]])
})

test('the slider describes its moment again once more is known of it, also while that rests', () => {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const input = { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC' }
  let context = createActor(timelineMachine, { input }).getSnapshot().context
  const slider = document.createElement('div')
  const span = () => document.createElement('span')
  const stop = runBand(
    {
      slider,
      canvas: document.createElement('canvas'),
      playhead: span(),
      flag: span(),
      flagTime: span(),
      flagDate: span(),
      edge: span(),
    },
    {
      context: () => context,
      clock: () => at,
      buffered: () => [],
      selection: () => ({ from: null, to: null }),
      locks: () => [],
      foundMotion: () => [],
      words: () => words,
      onResized: () => undefined,
    },
  )
  const described = [slider.getAttribute('aria-valuetext')]
  const recorded = [{ type: 'fragment', from: at - 1000, to: at + 1000 }] as const
  context = { ...context, recorded, intervals: recorded }
  frames.at(-1)?.(performance.now() + describeEveryMs)
  described.push(slider.getAttribute('aria-valuetext'))
  expect(described).toEqual(['unknown', 'fragment'])
  stop()
  vi.unstubAllGlobals()
})
