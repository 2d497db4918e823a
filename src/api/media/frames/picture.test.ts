// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { drawFrame, pngOfShown } from './picture.ts'

const masks = [{ x: 0.25, y: 0.5, w: 0.5, h: 0.25 }]

/** The calls of a canvas, which jsdom lacks. */
const calls: [string, ...number[]][] = []
const context = {
  drawImage: (_video: unknown, ...place: number[]) => calls.push(['picture', ...place]),
  fillRect: (...place: number[]) => calls.push(['black', ...place]),
  scale: () => undefined,
}

const videoOf = (data: string | undefined, box = new DOMRect(0, 0, 640, 360)) => {
  const video = document.createElement('video')
  if (data !== undefined) video.dataset['masks'] = data
  const state = { videoWidth: 1280, videoHeight: 720, readyState: 4, checkVisibility: () => true }
  for (const [name, value] of Object.entries(state)) Object.defineProperty(video, name, { value, writable: true })
  video.getBoundingClientRect = () => box
  return video
}

const onCanvas = () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => Object.create(context))
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob()))
}
afterEach(() => {
  calls.length = 0
  vi.restoreAllMocks()
})

test('a frame has the masks of its video burned in', () => {
  onCanvas()
  drawFrame(videoOf(JSON.stringify(masks)), document.createElement('canvas'))
  drawFrame(videoOf(undefined), document.createElement('canvas'))
  expect(calls).toEqual([
    ['picture', 0, 0, 1280, 720],
    ['black', 320, 360, 640, 180],
    ['picture', 0, 0, 1280, 720],
  ])
})

test('a picture of several videos has the masks of each, where that video is', async () => {
  onCanvas()
  const part = document.createElement('div')
  part.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 400)
  part.append(videoOf(undefined), videoOf(JSON.stringify(masks), new DOMRect(640, 0, 640, 400)))
  await pngOfShown(part)
  expect(calls).toEqual([
    ['black', 0, 0, 1280, 400],
    ['picture', 0, 0, 640, 360],
    ['picture', 640, 20, 640, 360],
    ['black', 800, 200, 320, 90],
  ])
})

test('a video that its tile hides is left out, as in a gap it has the frame of another moment', async () => {
  onCanvas()
  const part = document.createElement('div')
  const hidden = videoOf(undefined)
  // As for `visibility: hidden`.
  hidden.checkVisibility = (options) => options?.visibilityProperty !== true
  part.append(hidden)
  expect([await pngOfShown(part), calls]).toEqual([null, []])
})
