export function drawFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
}

/** The frame on the screen as PNG; null where the browser can't write one. */
export function pngOf(video: HTMLVideoElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  drawFrame(video, canvas)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** The videos in a part of the page as one PNG: one in its own size, several as they are laid out; null for none. */
export function pngOfShown(part: HTMLElement): Promise<Blob | null> {
  const shown = [...part.querySelectorAll('video')].filter(
    (video) =>
      video.videoWidth > 0 && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.checkVisibility(),
  )
  const [first] = shown
  if (first === undefined) return Promise.resolve(null)
  if (shown.length === 1) return pngOf(first)
  const canvas = document.createElement('canvas')
  const whole = part.getBoundingClientRect()
  canvas.width = Math.round(whole.width * devicePixelRatio)
  canvas.height = Math.round(whole.height * devicePixelRatio)
  const pen = canvas.getContext('2d')
  pen?.scale(devicePixelRatio, devicePixelRatio)
  pen?.fillRect(0, 0, whole.width, whole.height)
  for (const video of shown) {
    const box = video.getBoundingClientRect()
    const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight)
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
    const [left, top] = [
      box.left - whole.left + (box.width - width) / 2,
      box.top - whole.top + (box.height - height) / 2,
    ]
    pen?.drawImage(video, left, top, width, height)
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

export function heldBy({ buffered }: Pick<HTMLVideoElement, 'buffered'>): { from: number; to: number }[] {
  return Array.from({ length: buffered.length }, (_, index) => ({
    from: buffered.start(index),
    to: buffered.end(index),
  }))
}

export function heldAhead(video: HTMLVideoElement): number {
  const here = heldBy(video).find(({ from, to }) => from <= video.currentTime + 0.1 && to >= video.currentTime)
  return here === undefined ? 0 : here.to - video.currentTime
}
