import type { BandWords } from '../timeline/band-loop.ts'

/** A `<time>` with an element for the time and one for the date. */
type MomentElement = { dateTime: string; readonly children: ArrayLike<{ textContent: string | null }> }

type MomentWords = Pick<BandWords, 'dateText'> & { readonly time: Pick<BandWords['time'], 'hourMinuteSecond'> }

const secondMs = 1000

/** Returns the function that writes a moment into an element; called in every frame, it writes only what changes. */
export function momentWriter(element: MomentElement, { time, dateText }: MomentWords): (at: number) => void {
  let shown = Number.NEGATIVE_INFINITY
  return (at) => {
    const { 0: timePart, 1: datePart } = element.children
    if (timePart === undefined || datePart === undefined || at === shown) return
    // After a jump the same time may be one of another day.
    const hasJumped = Math.abs(at - shown) >= secondMs
    shown = at
    element.dateTime = new Date(at).toISOString()
    const text = time.hourMinuteSecond(at)
    if (timePart.textContent === text && !hasJumped) return
    timePart.textContent = text
    datePart.textContent = dateText(at)
  }
}
