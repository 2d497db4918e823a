import type { Gap } from '../site/recording.ts'
import type { Fault, FaultKind } from './faults.ts'

/** Seconds until another node records the cameras of one that is lost. */
export const failOverSeconds = 20

/** Of a camera: the gaps that a kind of fault explains, and the seconds of each. */
export type Losses = { during: Record<FaultKind, number[]>; handOver: number[]; beyond: number }

const secondsOf = ({ from, to }: Gap): number => (to - from) / 1000
const isDuring = (gap: Gap, { at, seconds }: Fault): boolean =>
  gap.to >= at && gap.from <= at + Math.max(seconds, failOverSeconds) * 1000

/**
 * Attributes the gaps of a camera to faults. A fail-over may lose 20 s; a hand-over, which a node that comes back or
 * drains causes at any time later, one group of pictures; an outage of the database or the bucket nothing more.
 */
export const lossesOf = (gaps: readonly Gap[], faults: readonly Fault[], groupSeconds: number): Losses => {
  const losses: Losses = {
    during: { kill: [], pause: [], database: [], bucket: [], drain: [] },
    handOver: [],
    beyond: 0,
  }
  for (const gap of gaps) {
    const seconds = secondsOf(gap)
    const causes = faults.filter((fault) => isDuring(gap, fault))
    const lost = causes.find(({ kind }) => kind === 'kill' || kind === 'pause')
    const cause = lost ?? causes[0]
    if (seconds <= groupSeconds) losses.handOver.push(seconds)
    else if (cause !== undefined) losses.during[cause.kind].push(seconds)
    losses.beyond += Math.max(0, seconds - (lost === undefined ? groupSeconds : failOverSeconds))
  }
  return losses
}
