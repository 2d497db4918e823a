import type { TimeRange } from '../../api/contract/time-range.ts'

interface Shown {
  readonly period: TimeRange
  readonly now: number
}

/** The value is written again once the moment has moved this far. */
const valueStepMs = 250
const secondMs = 1000

/**
 * Returns the function that writes the period, the moment and its description, for which it is called in every frame.
 * What is described changes with the moment, and with what is drawn: recordings that were loaded, another language.
 */
export function sliderAria(slider: Pick<Element, 'setAttribute'>, describe: (at: number) => string) {
  const written = { at: Number.NaN, from: 0, to: 0, text: '' }
  return ({ period: { from, to }, now }: Shown, at: number, isDrawnAnew: boolean): void => {
    const isSame = from === written.from && to === written.to && Math.abs(at - written.at) < valueStepMs
    if (isSame && !isDrawnAnew) return
    Object.assign(written, { at, from, to })
    slider.setAttribute('aria-valuemin', String(from / secondMs))
    slider.setAttribute('aria-valuemax', String(to / secondMs))
    slider.setAttribute('aria-valuenow', String(Math.round(Math.min(at, now)) / secondMs))
    const text = describe(at)
    if (text !== written.text) slider.setAttribute('aria-valuetext', text)
    written.text = text
  }
}
