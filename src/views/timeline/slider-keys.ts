import type { KeyboardEvent } from 'react'
import { lengthOf, type Period } from '../../machines/timeline/timeline-geometry.ts'

const second = 1000

/**
 * The moment that a key on a timeline leads to, never of the future; undefined for any other key. Arrows go 10 seconds,
 * with shift a minute, page keys a quarter of the period, Home and End to its ends.
 */
export function sliderTarget(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  { playing, period, now }: { playing: number; period: Period; now: number },
): number | undefined {
  const step = shiftKey ? 60 * second : 10 * second
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: playing - step,
    ArrowDown: playing - step,
    ArrowRight: playing + step,
    ArrowUp: playing + step,
    PageUp: playing + lengthOf(period) / 4,
    PageDown: playing - lengthOf(period) / 4,
    Home: period.from,
    End: period.to,
  }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return target === undefined ? undefined : Math.round(Math.min(target, now - 1))
}
