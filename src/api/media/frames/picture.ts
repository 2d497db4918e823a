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
