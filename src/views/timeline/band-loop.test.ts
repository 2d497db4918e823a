// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { noWords } from '../../../tests/views/band-words.ts'
import type { TimeRange } from '../../api/contract/time-range.ts'
import type { TimelineContext } from '../../machines/timeline/timeline.context.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import type { BandScene } from './band.ts'
import { type BandWords, describeEveryMs, runBand, whatIsAt } from './band-loop.ts'

vi.mock('./surface.ts', () => ({ watchSurface: () => ({ surface: () => ({ width: 100 }), stop: () => undefined }) }))
const painted = vi.hoisted(() => vi.fn<(period: TimeRange) => void>())
vi.mock('./paint-band.ts', () => ({ paintBand: (_: unknown, { period }: BandScene) => painted(period) }))
vi.mock('./canvas-colours.ts', () => ({ readColours: () => ({}), watchAppearance: () => () => undefined }))

const now = Date.UTC(2026, 10, 21, 12)
const at = now - 3_600_000
const words: BandWords = {
  ...noWords,
  dateText: () => 'Nov 20',
  describe: (context, moment) => whatIsAt(context, moment, 1000).type,
}
const nothingSelected = { from: null, to: null }
const none: readonly never[] = []

const contextNow = () =>
  createActor(timelineMachine, { input: { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC' } }).getSnapshot()
    .context

afterEach(() => vi.unstubAllGlobals())

test('an annotation of several days is found under the pointer on each of them', () => {
  const day = 24 * 3_600_000
  const annotations = [
    { type: 'maintenance', from: at - 3 * day, to: at + day, isEvent: false },
    { type: 'event', from: at - 2 * day, to: at - day, isEvent: true },
  ]
  expect(whatIsAt({ ...contextNow(), annotations }, at, 1000).annotations).toEqual([annotations[0]])
})

/** A band; `present`: an animation frame that much later, by default once the slider is described again. */
function running(state: { context: TimelineContext; buffered?: () => TimeRange[]; applyGestures?: () => void }) {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const slider = document.createElement('div')
  const span = () => document.createElement('span')
  const edge = Object.defineProperty(span(), 'offsetWidth', { value: 90 })
  const stop = runBand(
    {
      slider,
      canvas: document.createElement('canvas'),
      playhead: span(),
      flag: span(),
      flagTime: span(),
      flagDate: span(),
      edge,
    },
    {
      applyGestures: state.applyGestures ?? (() => undefined),
      context: () => state.context,
      clock: () => at,
      buffered: state.buffered ?? (() => []),
      selection: () => nothingSelected,
      locks: () => none,
      foundMotion: () => none,
      words: () => words,
      onResized: () => undefined,
    },
  )
  const present = (afterMs = describeEveryMs) => frames.at(-1)?.(performance.now() + afterMs)
  return { slider, edge, present, stop }
}

test('the slider describes its moment again once more is known of it, also while that rests', () => {
  const state = { context: contextNow() }
  const { slider, present, stop } = running(state)
  const described = [slider.getAttribute('aria-valuetext')]
  const recorded = [{ type: 'fragment', from: at - 1000, to: at + 1000 }] as const
  state.context = { ...state.context, recorded, intervals: recorded }
  present()
  described.push(slider.getAttribute('aria-valuetext'))
  expect(described).toEqual(['unknown', 'fragment'])
  stop()
})

test('while the period moves, its ends are written as rarely as the description', () => {
  const state = { context: contextNow() }
  const { slider, present, stop } = running(state)
  const first = slider.getAttribute('aria-valuemin')
  const written = [1000, 2000].map((moved) => {
    const { period } = state.context
    state.context = { ...state.context, period: { from: period.from - moved, to: period.to - moved } }
    present(moved === 1000 ? 0 : describeEveryMs)
    return Number(slider.getAttribute('aria-valuemin')) - Number(first)
  })
  expect(written).toEqual([0, -3])
  stop()
})

test('a frame draws what the pointer did before it', () => {
  const state = {
    context: contextNow(),
    applyGestures: () => {
      const { period } = state.context
      state.context = { ...state.context, period: { from: period.from - 1000, to: period.to - 1000 } }
    },
  }
  const { present, stop } = running(state)
  painted.mockClear()
  present()
  expect(painted.mock.calls).toEqual([[state.context.period]])
  stop()
})

test('buffered ranges are read and compared four times a second, and the same ones are not painted again', () => {
  const compared = vi.fn(() => at)
  const range = {
    get from() {
      return compared()
    },
    to: at + 1000,
  }
  const buffered = () => [range]
  const { present, stop } = running({ context: contextNow(), buffered })
  present()
  painted.mockClear()
  compared.mockClear()
  for (const ms of [300, 316, 333, 600]) present(ms)
  expect([compared.mock.calls.length, painted.mock.calls.length]).toEqual([2, 0])
  stop()
})

test('the date at the left end is hidden under the flag, also of a playhead that rests from the first frame', () => {
  const { edge, present, stop } = running({ context: contextNow() })
  present()
  expect([edge.textContent, edge.style.visibility]).toEqual(['Nov 20', 'hidden'])
  stop()
})
