import type { Stretch } from '../player/stretch.ts'

const allowed = (maxSeconds: number) => Math.max(1, Math.trunc(maxSeconds))
const secondsOf = ({ from, to }: Stretch) => Math.ceil((to - from) / 1000)

/** How many parts of at most `maxSeconds` a stretch is kept in. */
export const partCount = (stretch: Stretch, maxSeconds: number): number => Math.ceil(secondsOf(stretch) / allowed(maxSeconds))

/**
 * Cuts a stretch into as few parts as fit into `maxSeconds`, each about as long as the others. They follow
 * each other without a gap; cuts lie whole seconds from the start.
 */
export function partsOf(stretch: Stretch, maxSeconds: number): Stretch[] {
  const { from, to } = stretch
  const seconds = secondsOf(stretch)
  const count = partCount(stretch, maxSeconds)
  const cut = (index: number) => (index === count ? to : from + Math.floor((index * seconds) / count) * 1000)
  return Array.from({ length: count }, (_, index) => ({ from: cut(index), to: cut(index + 1) }))
}
