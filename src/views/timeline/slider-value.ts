import type { TimeRange } from '../../api/contract/time-range.ts'

/** The value is written again once the moment has moved this far. */
const valueStepMs = 250
const secondMs = 1000

/**
 * Returns the function that writes the period and the moment of a slider, for which it is called in every frame. It
 * returns whether it has written them.
 */
export function sliderValue(slider: Pick<Element, 'setAttribute'>) {
  const written = { at: Number.NaN, from: 0, to: 0 }
  return ({ from, to }: TimeRange, at: number): boolean => {
    if (from === written.from && to === written.to && Math.abs(at - written.at) < valueStepMs) return false
    Object.assign(written, { at, from, to })
    slider.setAttribute('aria-valuemin', String(from / secondMs))
    slider.setAttribute('aria-valuemax', String(to / secondMs))
    slider.setAttribute('aria-valuenow', String(Math.round(at) / secondMs))
    return true
  }
}
