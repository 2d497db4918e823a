import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from '../../machines/timeline/intervals.ts'
import { contains, timeToX } from '../../machines/timeline/timeline-geometry.ts'
import type { BandWords } from '../timeline/band-loop.ts'
import { type BandScene, band, markHandle } from '../timeline/band.ts'
import { paintAxis } from '../timeline/paint-axis.ts'
import { paintHandles, paintSelected } from '../timeline/paint-selection.ts'
import { paintTrack } from '../timeline/paint-track.ts'
import { readColours, watchAppearance } from '../timeline/canvas-colours.ts'
import { watchSurface, type Surface } from '../timeline/surface.ts'
import { sliderAria } from './slider-aria.ts'

/** Pixels of a row, and of the strip in it. */
export const trackHeight = 24
const strip = { top: 5, height: 14 }

export type TracksElements = {
  readonly slider: HTMLElement
  readonly axis: HTMLCanvasElement
  readonly tracks: HTMLCanvasElement
  readonly playhead: HTMLElement
}

/** The data of the tracks. Each list of intervals is the same object until it changes. */
type TracksShown = {
  readonly period: TimeRange
  readonly now: number
  /** The in and out marks: the same object until they change. */
  readonly selection: BandScene['selection']
  readonly tracks: readonly (readonly Interval[])[]
}

type TracksSources = {
  /** Applies what the pointers and the wheel did since the last frame. */
  readonly applyGestures: () => void
  readonly shown: () => TracksShown
  readonly clock: () => number | null
  readonly words: () => BandWords
  readonly describe: (at: number) => string
  readonly onResized: (width: number) => void
}

const secondMs = 1000

/** Draws the tracks without React whenever something has changed. Returns the function that stops it. */
export function runTracks(
  { slider, axis, tracks, playhead }: TracksElements,
  count: number,
  { applyGestures, shown, clock, words, describe, onResized }: TracksSources,
): () => void {
  let colours = readColours(slider)
  let painted: (Pick<TracksShown, 'tracks' | 'selection'> & { key: string; words: BandWords }) | null = null
  const updateAria = sliderAria(slider, describe)
  let shownLeft = ''
  let frame = 0
  const repaint = () => {
    painted = null
  }
  const axisSurface = watchSurface(axis, band.axis, repaint)
  const tracksSurface = watchSurface(tracks, trackHeight * count, (width) => {
    repaint()
    onResized(width)
  })
  const stopWatching = watchAppearance(() => {
    colours = readColours(slider)
    repaint()
  })

  function paint(
    [head, body]: readonly [Surface, Surface],
    { period, now, selection, tracks: intervalsOfTracks }: TracksShown,
    texts: BandWords,
  ): void {
    const { width } = body
    head.ctx.clearRect(0, 0, width, band.axis)
    paintAxis(head.ctx, { period, width, offsets: texts.time.offsets(period), colours, labelText: texts.labelText })
    const marked = { period, width, selection, colours }
    paintHandles(head.ctx, marked, band.axis - markHandle.height)
    body.ctx.clearRect(0, 0, width, trackHeight * count)
    for (const [row, intervals] of intervalsOfTracks.entries()) {
      paintTrack(
        body.ctx,
        { period, width, now, intervals, covered: null, colours },
        { ...strip, top: row * trackHeight + strip.top },
      )
    }
    paintSelected(body.ctx, marked, { top: 0, height: trackHeight * count })
  }

  function draw(): void {
    frame = requestAnimationFrame(draw)
    applyGestures()
    // Both in every frame: asking applies a new size.
    const [head, body] = [axisSurface.surface(), tracksSurface.surface()]
    if (head === null || body === null) return
    const state = shown()
    const texts = words()
    const key = `${state.period.from} ${state.period.to} ${Math.floor(state.now / secondMs)}`
    const isSame =
      painted?.key === key &&
      painted.selection === state.selection &&
      painted.words === texts &&
      state.tracks.every((list, row) => list === painted?.tracks[row])
    if (!isSame) {
      paint([head, body], state, texts)
      painted = { key, tracks: state.tracks, selection: state.selection, words: texts }
    }
    const at = clock()
    const isShown = at !== null && contains(state.period, at)
    if (playhead.hidden === isShown) playhead.hidden = !isShown
    const left = isShown ? timeToX(state.period, body.width, at).toFixed(2) : ''
    if (isShown && left !== shownLeft) playhead.style.transform = `translateX(${left}px)`
    shownLeft = left
    updateAria(state, at ?? state.now, !isSame)
  }

  draw()
  return () => {
    cancelAnimationFrame(frame)
    axisSurface.stop()
    tracksSurface.stop()
    stopWatching()
  }
}
