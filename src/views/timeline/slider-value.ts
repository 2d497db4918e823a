import type { TimeRange } from '../../api/contract/time-range.ts'

/** While the moment moves, the value is written again once it has moved this far. */
const valueStepMs = 250
/** The moment is at rest once it has been the same in this many frames. */
const restFrames = 12
const secondMs = 1000

/**
 * Returns the function that writes the period and the moment of a slider, for which it is called in every frame. It
 * returns whether it has written them.
 */
export function sliderValue(slider: Pick<Element, 'setAttribute'>) {
  const written = { at: Number.NaN, from: 0, to: 0 }
  const resting = { at: Number.NaN, frames: 0 }
  return ({ from, to }: TimeRange, at: number): boolean => {
    resting.frames = at === resting.at ? resting.frames + 1 : 0
    resting.at = at
    const step = resting.frames < restFrames ? valueStepMs : 1
    if (from === written.from && to === written.to && Math.abs(at - written.at) < step) return false
    Object.assign(written, { at, from, to })
    slider.setAttribute('aria-valuemin', String(from / secondMs))
    slider.setAttribute('aria-valuemax', String(to / secondMs))
    slider.setAttribute('aria-valuenow', String(Math.round(at) / secondMs))
    return true
  }
}
