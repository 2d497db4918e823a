/** The time that the player shows and the time in the frame on the screen, in epoch milliseconds, read in one task. */
export interface Reading {
  shown: number
  frame: number
}

export interface StripReader {
  read(): Reading | null
  /**
   * A reading after `waitMs` milliseconds that is still the same 5 ms later. The frame and the clock change one after
   * the other: read in between, they are a frame apart, which is a quarter of a second at 16×. So a reading that changes
   * within these 5 ms is dropped, right or wrong: it returns `changed`. Of a wrong time that lasts, as of a right one,
   * only the last 5 ms are dropped. If the page was busy and both readings together ended later than one frame of the
   * screen, nothing is dropped: a wrong time may have been shown for as long.
   */
  readSteady(waitMs: number): Promise<Reading | 'changed' | null>
  /** The same of every `<video>` on the page, in one task; null without a picture. */
  readAll(): { shown: number; frames: (number | null)[] }
  /**
   * Milliseconds from the last click on the page, or from now, to a reading that passes; NaN after `patience`
   * milliseconds.
   */
  until(test: (reading: Reading, elapsed: number) => boolean, patience: number, from: 'click' | 'now'): Promise<number>
  /** Forgets the last click. */
  forgetClick(): void
}

declare global {
  var bench: StripReader
}

/** The duration of a frame of the demo cameras, in milliseconds. */
export const frameMs = 40

/**
 * Runs in the page: the 32 cells along the top of a demo camera's picture contain the frame's time in 1/25 s modulo
 * 2^32. The shown time is the first `<time>` of the player (docs/behaviour.md §16).
 */
export const installStripReader = (): void => {
  const canvas = document.createElement('canvas')
  const click = { at: Number.NaN }
  const [steadyMs, screenFrameMs] = [5, 1000 / 60]
  addEventListener('pointerup', (event) => (click.at = event.timeStamp), { capture: true })

  const shownAt = () => Date.parse(document.querySelector('[data-view-mode] time')?.getAttribute('datetime') ?? '')
  const stripOf = (picture: HTMLVideoElement | VideoFrame, width: number, shown: number) => {
    if (canvas.width !== width) [canvas.width, canvas.height] = [width, 8]
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    if (pen === null) return null
    // A newly opened picture may have nothing to draw yet: without clearing, the previous one would be read again.
    pen.clearRect(0, 0, width, 8)
    pen.drawImage(picture, 0, 0, width, 8, 0, 0, width, 8)
    const { data } = pen.getImageData(0, 4, width, 1)
    if (data[3] === 0) return null
    let units = 0
    for (let cell = 0; cell < 32; cell += 1)
      units = units * 2 + ((data[Math.floor(((cell + 0.5) * width) / 32) * 4] ?? 0) > 127 ? 1 : 0)
    const turn = 2 ** 32 * 40
    return units * 40 + Math.round((shown - units * 40) / turn) * turn
  }
  const read = () => {
    const [shown, video] = [shownAt(), document.querySelector('video')]
    const frame =
      Number.isNaN(shown) || video === null || video.readyState < 2 ? null : stripOf(video, video.videoWidth, shown)
    return frame === null ? null : { shown, frame }
  }
  const wait = (ms: number) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
    })
  const readSteady: StripReader['readSteady'] = async (waitMs) => {
    const due = performance.now() + waitMs
    await wait(waitMs)
    const reading = read()
    if (reading === null) return null
    await wait(steadyMs)
    const isLate = performance.now() - due > screenFrameMs
    const again = read()
    const isSame = again?.shown === reading.shown && again.frame === reading.frame
    return isSame || isLate ? reading : 'changed'
  }
  const readAll = () => {
    const shown = shownAt()
    // Captures all frames before reading the first, as reading takes longer than a frame is shown.
    const held = Array.from(document.querySelectorAll('video'), (video) =>
      video.readyState < 2 ? null : new VideoFrame(video),
    )
    const frames = held.map((frame) => frame && stripOf(frame, frame.displayWidth, shown))
    for (const frame of held) frame?.close()
    return { shown, frames }
  }
  const until: StripReader['until'] = (test, patience, from) =>
    new Promise((resolve) => {
      const asked = performance.now()
      const look = () => {
        const began = from === 'now' ? asked : click.at
        const reading = Number.isNaN(began) ? null : read()
        const elapsed = performance.now() - began
        if (reading !== null && test(reading, elapsed)) resolve(elapsed)
        else if (performance.now() - asked > patience) resolve(Number.NaN)
        else requestAnimationFrame(look)
      }
      look()
    })
  Object.assign(globalThis, { bench: { read, readSteady, readAll, until, forgetClick: () => (click.at = Number.NaN) } })
}
