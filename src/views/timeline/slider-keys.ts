import type { TimeRange } from '../../api/contract/time-range.ts'
import { useRef, type KeyboardEvent } from 'react'
import { commandOf, timelineKeys } from '../../machines/keyboard/bindings.ts'
import { lengthOf } from '../../machines/timeline/timeline-geometry.ts'

const secondMs = 1000
/** A key pressed sooner after another continues from its target, even before the picture arrives. */
const continueMs = 1000

/** The moment that a key seeks to, never in the future; undefined for other keys. */
function sliderTarget(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  { playing, period, now }: { playing: number; period: TimeRange; now: number },
): number | undefined {
  const step = shiftKey ? 60 * secondMs : 10 * secondMs
  const targets: Partial<Record<keyof typeof timelineKeys, number>> = {
    back: playing - step,
    forward: playing + step,
    later: playing + lengthOf(period) / 4,
    earlier: playing - lengthOf(period) / 4,
    start: period.from,
    end: period.to,
  }
  const command = commandOf(timelineKeys, key)
  const target = command === undefined ? undefined : targets[command]
  return target === undefined ? undefined : Math.round(Math.min(target, now - 1))
}

interface SliderKeys {
  /** The playing moment; null if nothing plays: keys then start from `edge`. */
  clock: () => number | null
  shown: () => { period: TimeRange; now: number; edge: number }
  onSought: (at: number) => void
  onZoomed: (direction: 'in' | 'out', at: number | null) => void
}

/** Handles the keys of a timeline. */
export function useSliderKeys({ clock, shown, onSought, onZoomed }: SliderKeys): (event: KeyboardEvent) => void {
  const last = useRef<{ target: number; pressedAt: number } | null>(null)
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const command = commandOf(timelineKeys, event.key)
    const { period, now, edge } = shown()
    const { current } = last
    const isRecent = current !== null && event.timeStamp - current.pressedAt < continueMs
    const target = sliderTarget(event, { playing: isRecent ? current.target : (clock() ?? edge), period, now })
    if (target !== undefined) {
      last.current = { target, pressedAt: event.timeStamp }
      onSought(target)
    } else if (command === 'zoomIn') onZoomed('in', clock())
    else if (command === 'zoomOut') onZoomed('out', clock())
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
