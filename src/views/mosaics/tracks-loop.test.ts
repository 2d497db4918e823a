// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { noWords } from '../../../tests/views/band-words.ts'
import { stubResizeObserver } from '../../../tests/views/resize-observer.ts'
import { runTracks } from './tracks-loop.ts'

const painted: number[] = []
vi.mock('../timeline/paint-axis.ts', () => ({
  paintAxis: (_: unknown, { width }: { width: number }) => void painted.push(width),
}))
vi.mock('../timeline/paint-track.ts', () => ({ paintTrack: () => undefined }))
vi.mock('../timeline/paint-selection.ts', () => ({ paintHandles: () => undefined, paintSelected: () => undefined }))
vi.mock('../timeline/canvas-colours.ts', () => ({ readColours: () => ({}), watchAppearance: () => () => undefined }))

const nothing = () => ''

test('a new size of the axis alone is painted in the next frame, and only then', () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  const resize = stubResizeObserver()
  const context = Object.assign(Object.create(null), { setTransform: nothing, clearRect: nothing })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context)
  const [axis, tracks] = [document.createElement('canvas'), document.createElement('canvas')]
  const [slider, playhead] = [document.createElement('div'), document.createElement('div')]
  const shown = { period: { from: 0, to: 60_000 }, now: 90_000, selection: { from: null, to: null }, tracks: [[]] }
  const onResized = vi.fn<(width: number) => void>()
  const sources = {
    applyGestures: nothing,
    shown: () => shown,
    clock: () => null,
    words: () => noWords,
    describe: nothing,
    onResized,
  }
  const stop = runTracks({ slider, axis, tracks, playhead }, 1, sources)
  const paintsOfFrame = () => {
    for (const frame of frames.splice(0)) frame()
    return painted.splice(0)
  }
  resize(tracks, 300)
  const seen = [paintsOfFrame()]
  for (const width of [200, 300]) {
    resize(axis, width)
    seen.push(paintsOfFrame(), paintsOfFrame())
  }
  expect(seen).toEqual([[], [300], [], [300], []])
  expect([axis.width, onResized.mock.calls]).toEqual([300, [[300]]])
  stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
