import type { TimeRange } from '../../api/contract/time-range.ts'
import { sliderValue } from '../timeline/slider-value.ts'

interface Shown {
  readonly period: TimeRange
  readonly now: number
}

/**
 * Returns the function that writes the period, the moment and its description, for which it is called in every frame.
 * What is described changes with the moment, and with what is drawn: recordings that were loaded, another language.
 */
export function sliderAria(slider: Pick<Element, 'setAttribute'>, describe: (at: number) => string) {
  const writeValue = sliderValue(slider)
  let written = ''
  return ({ period, now }: Shown, at: number, isDrawnAnew: boolean): void => {
    const hasMoved = writeValue(period, Math.min(at, now))
    if (!hasMoved && !isDrawnAnew) return
    const text = describe(at)
    if (text !== written) slider.setAttribute('aria-valuetext', text)
    written = text
  }
}
