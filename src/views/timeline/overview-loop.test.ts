// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { createActor } from 'xstate'
import { noWords } from '../../../tests/views/band-words.ts'
import { point } from '../../../tests/views/pointer.ts'
import { wholePeriod } from '../../machines/timeline/overview.ts'
import { timeToX } from '../../machines/timeline/timeline-geometry.ts'
import { timelineMachine } from '../../machines/timeline/timeline.machine.ts'
import { describeEveryMs } from './band-loop.ts'
import { runOverview } from './overview-loop.ts'

vi.mock('./surface.ts', () => ({ watchSurface: () => ({ surface: () => ({ width: 1000 }), stop: () => undefined }) }))
vi.mock('./paint-overview.ts', () => ({ overviewHeight: 26, paintOverview: () => undefined }))
vi.mock('./canvas-colours.ts', () => ({ readColours: () => ({}), watchAppearance: () => () => undefined }))

const now = Date.UTC(2026, 10, 21, 12)
const dayMs = 24 * 3_600_000
const width = 1000
const nothing = () => ''

test('a press centres the frame on its moment, one right of now on now', () => {
  const input = { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC' }
  const { context } = createActor(timelineMachine, { input }).getSnapshot()
  const element = () => document.createElement('div')
  const slider = Object.assign(element(), { setPointerCapture: () => undefined })
  vi.spyOn(slider, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, width, 20))
  const centred: number[] = []
  const stop = runOverview(
    { slider, canvas: document.createElement('canvas'), frame: element(), playhead: element() },
    {
      context: () => context,
      clock: () => null,
      words: noWords,
      labelText: nothing,
      onCentred: (at) => void centred.push(at),
    },
  )
  const whole = wholePeriod(context)
  for (const at of [now - 2 * dayMs, whole.to]) {
    point(slider, 'pointerdown', timeToX(whole, width, at), 10)
    point(slider, 'pointerup', timeToX(whole, width, at), 10)
  }
  expect(centred).toEqual([now - 2 * dayMs, now])
  stop()
})

test('while the period moves, the value is written as rarely as its text, and the width of the frame stays', () => {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  const input = { streamId: 'gate', rangesMaxSeconds: 3600, now, zone: 'UTC' }
  let { context } = createActor(timelineMachine, { input }).getSnapshot()
  const element = () => document.createElement('div')
  const [slider, frame] = [element(), element()]
  const stop = runOverview(
    { slider, canvas: document.createElement('canvas'), frame, playhead: element() },
    { context: () => context, clock: () => null, words: noWords, labelText: nothing, onCentred: nothing },
  )
  const written = [vi.spyOn(slider, 'setAttribute'), vi.spyOn(frame.style, 'width', 'set')]
  const counts = [0, describeEveryMs].map((laterMs) => {
    const { period } = context
    context = { ...context, period: { from: period.from - dayMs, to: period.to - dayMs } }
    frames.at(-1)?.(performance.now() + laterMs)
    return written.map(({ mock }) => mock.calls.length)
  })
  expect(counts).toEqual([
    [0, 0],
    [4, 0],
  ])
  stop()
  vi.unstubAllGlobals()
})
