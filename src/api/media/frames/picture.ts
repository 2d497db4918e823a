import { Masks } from '../../contract/masks.ts'
import { parse } from '../../decode.ts'

interface PictureArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Draws the frame on the screen with the privacy masks of the `<video>` (`data-masks`) over it. */
function drawMasked(context: CanvasRenderingContext2D | null, video: HTMLVideoElement, area: PictureArea): void {
  const { left, top, width, height } = area
  context?.drawImage(video, left, top, width, height)
  const masks = parse(Masks, JSON.parse(video.dataset['masks'] ?? '[]'))
  for (const { x, y, w, h } of masks) context?.fillRect(left + x * width, top + y * height, w * width, h * height)
}

export function drawFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  drawMasked(canvas.getContext('2d'), video, { left: 0, top: 0, width: canvas.width, height: canvas.height })
}

/** The frame on the screen as PNG; null if the browser can't encode it. */
export function pngOf(video: HTMLVideoElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  drawFrame(video, canvas)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** Whether a video has a frame on the screen: in a gap a tile hides its video, whose frame is of another moment. */
const isShown = (video: HTMLVideoElement): boolean =>
  video.videoWidth > 0 &&
  video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA &&
  video.checkVisibility({ visibilityProperty: true })

/**
 * The visible videos in a part of the page as one PNG: one video in its own size, several as laid out; null for none.
 */
export function pngOfShown(part: HTMLElement): Promise<Blob | null> {
  const shown = [...part.querySelectorAll('video')].filter(isShown)
  const [first] = shown
  if (first === undefined) return Promise.resolve(null)
  if (shown.length === 1) return pngOf(first)
  const canvas = document.createElement('canvas')
  const area = part.getBoundingClientRect()
  canvas.width = Math.round(area.width * devicePixelRatio)
  canvas.height = Math.round(area.height * devicePixelRatio)
  const context = canvas.getContext('2d')
  context?.scale(devicePixelRatio, devicePixelRatio)
  context?.fillRect(0, 0, area.width, area.height)
  for (const video of shown) {
    const box = video.getBoundingClientRect()
    const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
    const [left, top] = [box.left - area.left + (box.width - width) / 2, box.top - area.top + (box.height - height) / 2]
    drawMasked(context, video, { left, top, width, height })
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** In seconds of the media timeline. */
export function bufferedRanges({ buffered }: Pick<HTMLVideoElement, 'buffered'>): { from: number; to: number }[] {
  return Array.from({ length: buffered.length }, (_, index) => ({
    from: buffered.start(index),
    to: buffered.end(index),
  }))
}

/** The playhead may be this much before the buffered range that it plays from; seconds. */
const slackSeconds = 0.1

/** Seconds from the playhead to the end of its buffered range; 0 outside of any. */
export function secondsAhead(video: HTMLVideoElement): number {
  const range = bufferedRanges(video).find(
    ({ from, to }) => from <= video.currentTime + slackSeconds && to >= video.currentTime,
  )
  return range === undefined ? 0 : range.to - video.currentTime
}
